import { found, made } from './elements.ts'

/**
 * Where there is no room for the list of pages beside the text, it opens over the text and leaves the reader's place
 * alone. Without a script the link leads to the list, which stands at the end of the page.
 */
export function offerMenu(): void {
  const link = document.querySelector<HTMLAnchorElement>('a.to-pages')
  const list = found('pages', HTMLElement)
  const frame = list?.parentElement
  if (!link || !list || !frame) return
  const close = made('button', { type: 'button' }, 'Close')
  const head = made('div', { class: 'menu-head' }, made('strong', {}, 'Menu'), close)
  const dialog = made('dialog', { class: 'menu', 'aria-label': 'Menu' }, head)
  document.body.append(dialog)
  link.setAttribute('role', 'button')
  link.setAttribute('aria-haspopup', 'dialog')
  const open = (): void => {
    dialog.append(list)
    dialog.showModal()
    list.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  }
  link.addEventListener('click', (event) => {
    event.preventDefault()
    open()
  })
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    open()
  })
  dialog.addEventListener('close', () => frame.append(list))
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close()
  })
  close.addEventListener('click', () => dialog.close())
  // There the list has a place of its own.
  matchMedia('(min-width: 60rem)').addEventListener('change', () => dialog.close())
}
