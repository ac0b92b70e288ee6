/** The dice on the front page wait for a tap; what throwing them takes is loaded then. */
const trial = document.getElementById('trial');
trial.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  import('./trial.js').then(
    ({ go }) => go(trial, event.submitter),
    () => trial.submit(),
  );
});
