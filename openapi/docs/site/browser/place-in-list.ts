import { found } from './elements.ts'

/** The list of pages is longer than a screen: scroll it to the current page. */
export function showPlaceInList(): void {
  const list = found('pages', HTMLElement)
  const here = list?.querySelector<HTMLElement>('[aria-current]')
  if (!list || !here || list.scrollHeight <= list.clientHeight) return
  const isInSight = here.offsetTop + here.offsetHeight <= list.clientHeight
  if (!isInSight) list.scrollTop = here.offsetTop - list.clientHeight / 2
}
