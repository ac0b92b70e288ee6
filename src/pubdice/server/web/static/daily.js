/**
 * Last orders: shares the line. Without a way to share, copies it. Plain http can only copy a selection.
 * @param {string} id
 */
const at = id => document.getElementById(id);

document.documentElement.classList.add('js');
at('share').onclick = () => {
  // biome-ignore lint/performance/useDomNodeTextContent: as it is shown, with its line ends.
  const text = at('line').innerText;
  if (navigator.share) return navigator.share({ text }).catch(() => {});
  getSelection()?.selectAllChildren(at('line'));
  at('copied').textContent = document.execCommand('copy') ? at('copied').dataset.said : '';
};
