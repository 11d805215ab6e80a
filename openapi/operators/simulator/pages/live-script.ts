/**
 * Polls every two seconds whether the page has changed, and replaces it unless somebody is typing. Without the script
 * the pages work as well: they are reloaded by hand.
 */
export const LIVE_SCRIPT = `
const WAIT_MS = 2000
const withoutSeconds = (text) => text.replace(/, \\d+ s from now/g, '')
const isBusy = () => document.querySelector('details[open]') !== null ||
  [...document.querySelectorAll('input:not([type=hidden])')].some((input) => input === document.activeElement || input.value !== input.defaultValue)
async function look() {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } })
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
    const main = document.querySelector('main')
    if (response.ok && next && main && !isBusy() && withoutSeconds(next.innerHTML) !== withoutSeconds(main.innerHTML)) main.replaceWith(next)
  } catch {}
  setTimeout(look, WAIT_MS)
}
setTimeout(look, WAIT_MS)
`
