/** The address of the script; it changes with the text, because browsers keep it for a year. */
export const ADMIN_SCRIPT_PATH = '/sign-in-2.js'

/** Passkeys: the only thing that needs a script. Browsers without the JSON forms of WebAuthn (before 2025) show none. */
export const ADMIN_SCRIPT = `'use strict'
const says = JSON.parse(document.body.dataset.says)
const has = window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON && PublicKeyCredential.parseCreationOptionsFromJSON
const send = async (url, body) => {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', 'x-form-token': document.body.dataset.token }, body: JSON.stringify(body) })
  if (!reply.headers.get('content-type').includes('json')) throw new Error(says.failed)
  return reply.json()
}
const usePasskey = async ({ passkeyDo: what, link, next }) => {
  const isNew = what === 'add'
  const path = isNew ? '/passkeys' : '/passkey'
  const { options, error, goTo } = await send(path + '/options', { link })
  if (goTo) return location.assign(goTo)
  if (error) throw new Error(error)
  const response = isNew
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  const result = await send(path, { link, next, response: response.toJSON(), name: document.querySelector('[data-passkey-name]')?.value })
  if (result.error) throw new Error(result.error)
  location.assign(result.goTo)
}
for (const part of has ? document.querySelectorAll('[data-passkey]') : []) {
  part.hidden = false
  const [button, alert] = [part.querySelector('button'), part.querySelector('[role=alert]')]
  button.addEventListener('click', async () => {
    alert.hidden = true
    button.disabled = true
    try {
      await usePasskey(button.dataset)
    } catch (error) {
      alert.textContent = error.name === 'NotAllowedError' ? says.none : error.name === 'InvalidStateError' ? says.has : error.message
      alert.hidden = false
    }
    button.disabled = false
  })
}
`
