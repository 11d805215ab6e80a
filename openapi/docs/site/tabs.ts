import { html } from 'ghtml'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** One of several things of which a reader sees one at a time. */
export interface Tab {
  readonly label: string
  readonly body: string
}

/**
 * Radio buttons and the parts that they show, by style alone: no script is needed.
 * @param id unique on the page
 * @param title what is chosen
 * @param remembered the browser keeps the choice for other pages
 */
export function tabs(id: string, title: string, parts: readonly Tab[], remembered = false): string {
  const [first] = parts
  if (first === undefined) return ''
  // Of one thing there is nothing to choose.
  if (parts.length === 1)
    return html`<div class="tabs"><h2>${title}: ${first.label}</h2><div class="panel">!${first.body}</div></div>`
  const choices = parts.map(
    ({ label }, index) =>
      html`<span><input type="radio" name="${id}" id="${id}-${index}" value="${label}" !${index === 0 ? 'checked' : ''}><label for="${id}-${index}">${label}</label></span>`,
  )
  return html`<div class="tabs" !${remembered ? html`data-remembered="${title}"` : ''}><fieldset><legend>${title}</legend>!${choices}</fieldset>!${parts.map(({ body }) => html`<div class="panel">!${body}</div>`)}</div>`
}
