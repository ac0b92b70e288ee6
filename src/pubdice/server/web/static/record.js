/** The form that opens a record. A chosen file is put into the field, and opened at once. */
const form = document.getElementById('open');
document.documentElement.classList.add('js');
form?.querySelector('#file').addEventListener('change', async (/** @type {any} */ { target }) => {
  const [file] = target.files;
  if (!file) return;
  const field = form.elements.record;
  const why = document.getElementById('why');
  const large = file.size > field.maxLength;
  why.hidden = !large;
  why.textContent = large ? why.dataset.large : '';
  if (large) return;
  field.value = (await file.text()).replace(/^\ufeff/, '');
  if (form.reportValidity()) form.submit();
});
