/** Hands the receipt's line on: shared where that is possible, else copied, in a way that works without https too. */
const line = document.getElementById('share'), told = document.getElementById('told');

for (const button of document.querySelectorAll('[data-share]')) {
  button.onclick = () => {
    if (button.dataset.share && navigator.share) return navigator.share({ text: line.textContent }).catch(() => {});
    getSelection().selectAllChildren(line);
    told.textContent = line.dataset[document.execCommand('copy') ? 'copied' : 'failed'];
  };
}
document.documentElement.classList.add('js');
