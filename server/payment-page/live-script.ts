import { createHash } from 'node:crypto'

/**
 * The only script; the page works without it. It counts down, polls whether the payment has moved on, and prevents a
 * second click from being sent. Times are counted from the load of the page, because the clocks of phones are often
 * wrong.
 */
export const LIVE_SCRIPT = `(() => {
  'use strict'
  const FIRST_MS = 2000, LONGEST_MS = 10000
  const { page, state, waits } = document.body.dataset
  const says = JSON.parse(document.body.dataset.says)
  const loadedAt = Date.now()
  const passed = () => (Date.now() - loadedAt) / 1000
  const inWords = (count, unit) => new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  const left = (seconds) => Math.max(0, Math.ceil(seconds - passed()))
  const note = document.getElementById('live')
  const say = (text) => { if (note && note.textContent !== text) note.textContent = text }
  let sending = false, leaving = false
  const since = document.querySelector('[data-since]')
  const waiting = since ? page + '?since=' + since.dataset.at : page
  const open = () => { if (!leaving) { leaving = true; location.replace(waiting) } }

  const clock = document.querySelector('[data-left]')
  const again = document.querySelector('button[data-wait]')
  const againText = again && again.textContent
  const tick = () => {
    if (clock) {
      const seconds = left(clock.dataset.left)
      const hurry = seconds <= clock.dataset.hurry
      clock.className = hurry ? 'soon' : ''
      clock.textContent = hurry ? Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') : inWords(Math.floor(seconds / 60), 'minute')
      if (seconds === 0 && !sending) open()
    }
    if (again && !sending) {
      const seconds = left(again.dataset.wait)
      again.disabled = seconds > 0
      again.textContent = seconds > 0 ? says.againIn.replace('{button}', againText).replace('{seconds}', seconds) : againText
    }
    if (since) {
      const seconds = Math.floor(Number(since.dataset.since) + passed())
      since.textContent = seconds < 60 ? inWords(seconds, 'second') : inWords(Math.floor(seconds / 60), 'minute')
    }
  }
  // Loaded again, it goes on counting.
  if (since) history.replaceState(null, '', waiting)
  if (clock || again || since) { tick(); setInterval(tick, 1000) }

  let pause = FIRST_MS, timer
  const ask = async () => {
    clearTimeout(timer)
    if (document.hidden) return
    try {
      const reply = await fetch(page + '/status', { cache: 'no-store' })
      if (reply.ok && (await reply.json()).state !== state && !sending) {
        if (waits) say(says.answer)
        return open()
      }
      if (waits && pause > FIRST_MS * 3) say(says.still)
    } catch {
      if (waits) say(says.offline)
    }
    pause = Math.min(pause * 1.15, LONGEST_MS)
    if (waits) timer = setTimeout(ask, pause)
  }
  if (waits) timer = setTimeout(ask, pause)
  document.addEventListener('visibilitychange', () => { if (!document.hidden) { pause = FIRST_MS; ask() } })

  document.addEventListener('submit', (event) => {
    if (sending) return event.preventDefault()
    sending = true
    const button = event.submitter || event.target.querySelector('button')
    const text = button.textContent
    button.setAttribute('aria-disabled', 'true')
    button.textContent = says.sending
    // A request that was stopped or lost must not leave the page without a working button.
    setTimeout(() => { sending = false; button.removeAttribute('aria-disabled'); button.textContent = text }, 15000)
  })
  addEventListener('pageshow', (event) => { if (event.persisted) location.replace(page) })
})()
`

/** The address contains a digest of the script, so that browsers may cache it for ever. */
export const LIVE_SCRIPT_PATH = `/pay/assets/${createHash('sha256').update(LIVE_SCRIPT).digest('hex').slice(0, 16)}.js`
