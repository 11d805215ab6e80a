import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { CONSOLE_STYLE } from './style.ts'

/**
 * Copies a reference where the browser lets a page do so, and follows the link of a row that is clicked anywhere;
 * everything works without it.
 */
const SCRIPT = `'use strict'
for (const button of navigator.clipboard ? document.querySelectorAll('button[data-copy]') : []) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = button.dataset.done
  })
}
// Times are rendered on the server, in this zone from the next page on.
document.cookie = 'malipo_zone=' + encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone) + '; path=/; max-age=31536000; samesite=lax'
document.addEventListener('click', ({ target }) => {
  const row = target.closest('.linked tbody tr')
  if (row && !target.closest('a, button, summary') && getSelection().isCollapsed) row.querySelector('th a').click()
})
const watched = document.querySelector('[data-reload-s]')
if (watched) setTimeout(() => location.reload(), watched.dataset.reloadS * 1000)
`

/** The address changes with the text, because browsers keep it for a year. */
const pathOf = (text: string, ending: string): string =>
  `/console/${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${ending}`

export const STYLE_PATH = pathOf(CONSOLE_STYLE, 'css')
export const SCRIPT_PATH = pathOf(SCRIPT, 'js')

/** Serves the style and the script of all pages. */
export function serveConsoleAssets(app: FastifyInstance): void {
  const files = [
    { path: STYLE_PATH, type: 'text/css', text: CONSOLE_STYLE },
    { path: SCRIPT_PATH, type: 'text/javascript', text: SCRIPT },
  ]
  for (const { path, type, text } of files)
    app.get(path, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(`${type}; charset=utf-8`).send(text),
    )
}
