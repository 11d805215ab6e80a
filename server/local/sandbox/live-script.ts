import { createHash } from 'node:crypto'

/**
 * The page's only script; without it the page is reloaded by hand. When it is notified that the inbox has changed, it
 * fetches the same page again and inserts what is new: what a reader has opened or selected does not change. A hidden
 * page closes its connection: browsers allow six connections to a host, and every open inbox would hold one.
 */
export const LIVE_SCRIPT = `(() => {
  'use strict'
  const AGAIN_MS = 3000
  const note = document.getElementById('live')
  const say = (text) => { if (note.textContent !== text) note.textContent = text }
  const says = JSON.parse(document.body.dataset.says)
  let shown = document.body.dataset.version, newest = shown, loading = false, source, timer

  // The confirmation was read: a reload does not show it again.
  const here = new URL(location.href)
  if (here.searchParams.has('sent')) { here.searchParams.delete('sent'); history.replaceState(null, '', here) }

  const takeOver = (fresh) => {
    for (const { id, textContent } of fresh.querySelectorAll('[data-live]')) document.getElementById(id).textContent = textContent
    const list = document.getElementById('messages'), next = [...fresh.getElementById('messages').children]
    const ids = new Set(next.map(({ id }) => id))
    for (const child of [...list.children]) if (!ids.has(child.id)) child.remove()
    let at = list.firstElementChild, added = 0
    for (const child of next) {
      if (at && at.id === child.id) {
        if (child.localName !== 'article' && at.innerHTML !== child.innerHTML) at.innerHTML = child.innerHTML
        at = at.nextElementSibling
        continue
      }
      for (const anchor of child.querySelectorAll('.anchor')) document.getElementById(anchor.id)?.remove()
      if (child.localName === 'article') { added += 1; child.classList.add('new') }
      list.insertBefore(child, at)
    }
    say(added === 0 ? says.live : added === 1 ? says.one : says.some.replace('{count}', added))
  }
  const load = async () => {
    if (loading) return
    loading = true
    try {
      while (newest !== shown) {
        const reply = await fetch(here, { cache: 'no-store', headers: { accept: 'text/html' } })
        if (!reply.ok) throw new Error(String(reply.status))
        const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
        const { version } = fresh.body.dataset
        if (version === shown) break
        shown = version
        takeOver(fresh)
      }
    } catch { later() } finally { loading = false }
  }
  const later = () => {
    close()
    say(says.gone)
    timer = setTimeout(open, AGAIN_MS)
  }
  const close = () => { clearTimeout(timer); source?.close(); source = undefined }
  const open = () => {
    if (source || document.hidden) return
    source = new EventSource('/sandbox/inbox/stream')
    source.addEventListener('open', () => say(says.live))
    source.addEventListener('error', later)
    source.addEventListener('inbox', ({ data }) => { newest = data; void load() })
  }
  document.addEventListener('visibilitychange', () => document.hidden ? close() : open())
  addEventListener('pagehide', close)
  addEventListener('pageshow', open)
  open()
})()
`

/** Its URL changes with its text, so that browsers may cache it forever. */
export const LIVE_SCRIPT_PATH = `/sandbox/inbox/live-${createHash('sha256').update(LIVE_SCRIPT).digest('hex').slice(0, 16)}.js`
