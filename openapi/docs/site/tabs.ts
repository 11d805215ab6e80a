import { html } from 'ghtml'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** One of several alternatives, of which a reader sees one at a time. */
interface Tab {
  readonly label: string
  readonly body: string
}

/**
 * Radio buttons and the parts that they show, with CSS alone: no script is needed.
 * @param id unique on the page
 * @param title of the choice
 * @param remembered the browser stores the choice for other pages
 */
export function tabs(id: string, title: string, parts: readonly Tab[], remembered = false): string {
  const [first] = parts
  if (first === undefined) return ''
  // A single alternative needs no choice.
  if (parts.length === 1)
    return html`<div class="tabs"><h2>${title}: ${first.label}</h2><div class="panel">!${first.body}</div></div>`
  const choices = parts.map(
    ({ label }, index) =>
      html`<span><input type="radio" name="${id}" id="${id}-${index}" value="${label}" !${index === 0 ? 'checked' : ''}><label for="${id}-${index}">${label}</label></span>`,
  )
  return html`<div class="tabs" !${remembered ? html`data-remembered="${title}"` : ''}><fieldset><legend>${title}</legend>!${choices}</fieldset>!${parts.map(({ body }) => html`<div class="panel">!${body}</div>`)}</div>`
}
