import { made } from './elements.ts'

const SHOWN_MS = 2_000

/** Adds a button above every code block that copies it verbatim. */
export function addCopyButtons(): void {
  if (!('clipboard' in navigator)) return
  for (const block of document.querySelectorAll('.code')) {
    const button = made('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
        button.textContent = 'Copied'
        setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS)
      })
    })
    block.querySelector('.code-head')?.append(button)
  }
}
