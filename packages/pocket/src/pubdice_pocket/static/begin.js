/** Starts to fetch the folder's files while the page's own scripts load. shell_engine.js handles the result. */
export const registering = navigator.serviceWorker?.register(new URL('../sw.js', import.meta.url));
registering?.catch(() => {});
addEventListener(
  'error',
  ({ target, error }) => {
    // a script of the page did not come, or the answer is no script
    if (target.type === 'module' || error instanceof SyntaxError)
      import('./shell_missing.js').then(({ tellMissing }) => tellMissing());
  },
  true,
);
