import { found } from './elements.ts'
import { storeValue } from './stored-value.ts'

/** Light or dark by a switch; until it is used, by the system setting. */
export function offerThemes(): void {
  const button = found('theme', HTMLButtonElement)
  if (button === undefined) return
  const { classList } = document.documentElement
  const report = (): void => {
    button.textContent = classList.contains('dark') ? 'Light' : 'Dark'
  }
  report()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', report)
  button.hidden = false
  button.addEventListener('click', () => {
    const next = classList.contains('dark') ? 'light' : 'dark'
    classList.toggle('dark', next === 'dark')
    classList.toggle('light', next === 'light')
    storeValue('theme', next)
    report()
  })
}
