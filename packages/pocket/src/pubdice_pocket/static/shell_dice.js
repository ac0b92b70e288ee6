/**
 * While the house loads, the six dice in the frame tumble under a finger and land on a random face. They are only a
 * toy, so they react to pointers only and are hidden from screen readers.
 */
const TUMBLE_MS = 560;
const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

for (const die of document.querySelectorAll('.dice li'))
  die.addEventListener('pointerdown', () => {
    die.dataset.face = `${1 + Math.floor(Math.random() * 6)}`;
    if (isCalm()) return;
    const turns = `rotate3d(1, ${Math.random() * 2 - 1}, 0, 720deg) rotate(${Math.random() * 360 - 180}deg)`;
    die.animate(
      [
        { transform: `translateY(0) ${turns}`, easing: 'cubic-bezier(.2, .8, .3, 1)' },
        { transform: 'translateY(-30%)', offset: 0.7, easing: 'ease-in' },
        { transform: 'none' },
      ],
      { duration: TUMBLE_MS },
    );
  });
