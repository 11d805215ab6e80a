import { keepValue, keptValue } from './kept.ts'

/** The language that a reader has chosen is the one that every page shows. */
export function rememberTabs(): void {
  for (const tabs of document.querySelectorAll<HTMLElement>('.tabs[data-remembered]')) {
    const choices = [...tabs.querySelectorAll<HTMLInputElement>('input[type=radio]')]
    const wanted = choices.find(({ value }) => value === keptValue('language'))
    if (wanted) wanted.checked = true
    tabs.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) keepValue('language', target.value)
    })
  }
}
