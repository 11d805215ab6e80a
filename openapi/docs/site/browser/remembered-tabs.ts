import { storeValue, storedValue } from './stored-value.ts'

/** Every page shows the language that the reader has chosen. */
export function rememberTabs(): void {
  for (const tabs of document.querySelectorAll<HTMLElement>('.tabs[data-remembered]')) {
    const choices = [...tabs.querySelectorAll<HTMLInputElement>('input[type=radio]')]
    const wanted = choices.find(({ value }) => value === storedValue('language'))
    if (wanted) wanted.checked = true
    tabs.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) storeValue('language', target.value)
    })
  }
}
