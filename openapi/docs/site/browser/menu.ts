import { found, made } from './elements.ts'

/**
 * On narrow screens the list of pages opens over the text and keeps the reader's scroll position. Without a script the
 * link leads to the list at the end of the page.
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
  // On wide screens the list has its own column.
  matchMedia('(min-width: 60rem)').addEventListener('change', () => dialog.close())
}
