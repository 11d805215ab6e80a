import { createHash } from 'node:crypto'

/**
 * All the script there is; the page works without it. It counts down, asks whether the payment has moved on, and keeps
 * a second click from being sent. Times are counted from when the page was loaded, because the clocks of phones are
 * often wrong.
 */
export const LIVE_SCRIPT = `(() => {
  'use strict'
  const FIRST_MS = 2000, LONGEST_MS = 10000
  const { page, state, waits } = document.body.dataset
  const loadedAt = Date.now()
  const left = (seconds) => Math.max(0, Math.ceil(seconds - (Date.now() - loadedAt) / 1000))
  const note = document.getElementById('live')
  const say = (text) => { if (note && note.textContent !== text) note.textContent = text }
  let sending = false, leaving = false
  const open = () => { if (!leaving) { leaving = true; location.replace(page) } }

  const clock = document.querySelector('[data-left]')
  const again = document.querySelector('button[data-wait]')
  const againText = again && again.textContent
  const tick = () => {
    if (clock) {
      const seconds = left(clock.dataset.left)
      clock.textContent = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0')
      if (seconds === 0 && !sending) open()
    }
    if (again && !sending) {
      const seconds = left(again.dataset.wait)
      again.disabled = seconds > 0
      again.textContent = seconds > 0 ? againText + ' in ' + seconds + ' s' : againText
    }
  }
  if (clock || again) { tick(); setInterval(tick, 1000) }

  let pause = FIRST_MS, timer
  const ask = async () => {
    clearTimeout(timer)
    if (document.hidden) return
    try {
      const reply = await fetch(page + '/status', { cache: 'no-store' })
      if (reply.ok && (await reply.json()).state !== state && !sending) {
        if (waits) say('There is an answer. One moment.')
        return open()
      }
      if (waits && pause > FIRST_MS * 3) say('Still waiting. You need not do anything on this page.')
    } catch {
      if (waits) say('There is no connection at the moment. This page goes on by itself when it is back.')
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
    button.textContent = 'One moment…'
    // A request that was stopped or lost must not leave the page without a working button.
    setTimeout(() => { sending = false; button.removeAttribute('aria-disabled'); button.textContent = text }, 15000)
  })
  addEventListener('pageshow', (event) => { if (event.persisted) open() })
})()
`

/** Its address changes with its text, so that browsers may keep it for ever. */
export const LIVE_SCRIPT_PATH = `/pay/assets/${createHash('sha256').update(LIVE_SCRIPT).digest('hex').slice(0, 16)}.js`
