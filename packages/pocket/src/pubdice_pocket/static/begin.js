/** Has the folder's files come while the page's own scripts do; shell_engine.js says what becomes of it. */
export const registering = navigator.serviceWorker?.register(new URL('../sw.js', import.meta.url));
registering?.catch(() => {});
addEventListener(
  'error',
  ({ target, error }) => {
    // a script of the page did not come, or is no script
    if (target.type === 'module' || error instanceof SyntaxError)
      import('./shell_missing.js').then(({ tellMissing }) => tellMissing());
  },
  true,
);
