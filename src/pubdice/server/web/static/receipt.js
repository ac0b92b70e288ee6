/**
 * Shares the match: its picture with a line, or else the line alone, copied in a way that also works without https. The
 * picture is saved as a PNG, which phones show and send everywhere. Without this script it is an SVG.
 */
const line = document.getElementById('share');
const told = document.getElementById('told');
const picture = document.querySelector('img.picture');
const save = document.getElementById('save');

/** The picture as a PNG, as wide as the SVG. */
async function png() {
  picture.loading = 'eager';
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return new Promise((done, failed) => canvas.toBlob(found => (found ? done(found) : failed(found)), 'image/png'));
}

save?.addEventListener('click', async (/** @type {Event} */ event) => {
  event.preventDefault();
  // in a pocket the page around this one would save the link's target
  event.stopPropagation();
  try {
    const href = URL.createObjectURL(await png());
    Object.assign(document.createElement('a'), { href, download: 'pubdice.png' }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  } catch {
    told.textContent = line.dataset.failed;
  }
});

// Made before the press: browsers do not share a file that comes long after it (Safari).
/** @type {File[]} */
let files = [];
const prepare = async () => {
  files = [new File([await png()], 'pubdice.png', { type: 'image/png' })];
};
// the picture may have loaded before this script
if (picture?.complete) prepare().catch(() => {});
else picture?.addEventListener('load', () => prepare().catch(() => {}));

for (const button of document.querySelectorAll('[data-share]')) {
  button.onclick = () => {
    if (button.dataset.share && navigator.share) {
      const text = line.textContent;
      const what = files.length && navigator.canShare?.({ files }) ? { files, text } : { text };
      return navigator.share(what).catch(() => {});
    }
    getSelection()?.selectAllChildren(line);
    const done = document.execCommand('copy');
    told.textContent = line.dataset[done ? 'copied' : 'failed'];
    if (!done || !line.dataset.mark) return;
    const label = button.textContent;
    button.textContent = line.dataset.mark;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  };
}
document.documentElement.classList.add('js');
