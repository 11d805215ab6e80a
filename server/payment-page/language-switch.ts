import { html } from 'ghtml'
import { TONGUES } from './languages.ts'
import type { Translator } from './speech.ts'

/** Links: they work without a script, and the next page is in the chosen language. */
export const languageSwitch = ({ language, text }: Translator, path: string): string => html`
<nav class="languages" aria-label="${text('languages')}">!${Object.entries(TONGUES).map(([code, { name }]) =>
  code === language
    ? html`<span lang="${code}" aria-current="true">${name}</span>`
    : html`<a href="${path}?lang=!${code}" lang="${code}" hreflang="${code}">${name}</a>`,
)}</nav>`
