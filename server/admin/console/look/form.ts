import { html } from 'ghtml'
import type { Viewer } from './viewer.ts'

/** A field of a form; what was typed and what is wrong come with the form. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly type?:
    | 'text'
    | 'email'
    | 'date'
    | 'amount'
    | 'number'
    | 'textarea'
    | 'select'
    | 'checkbox'
    | 'url'
    | 'file'
    | 'secret'
    | undefined
  /** Of a file: the media types that may be chosen. */
  readonly accept?: string | undefined
  /** Of a select. */
  readonly options?: readonly (readonly [value: string, text: string])[] | undefined
  readonly isOptional?: boolean | undefined
  readonly lengthMin?: number | undefined
  readonly lengthMax?: number | undefined
  readonly autocomplete?: string | undefined
}

export interface ActionForm {
  /** Where it is sent to. */
  readonly action: string
  /** Plain: the consequence, before it is confirmed. */
  readonly willHappen: string
  readonly fields?: readonly Field[] | undefined
  readonly hidden?: Readonly<Record<string, string>> | undefined
  /** Asks for the reason that the audit log keeps. */
  readonly asksReason?: boolean | undefined
  /** What was typed before. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** What is wrong, by the name of the field; `''` is about the whole form. */
  readonly errors?: Readonly<Record<string, string>> | undefined
  /** One button, or several which send a value: `['decision', 'approve']`. */
  readonly submit: string | readonly Submit[]
  /** What cannot be undone. */
  readonly isDangerous?: boolean | undefined
  /** Where giving up leads. */
  readonly cancel?: string | undefined
}

/** What forms of a page carry. */
export interface FormPage {
  readonly viewer: Viewer
  /** The token of all forms of this browser. */
  readonly formToken: string
  /** Sent twice, a form has one effect. */
  readonly idempotencyKey: string
}

interface Submit {
  readonly text: string
  readonly name: string
  readonly value: string
  readonly style?: 'primary' | 'danger' | 'plain' | undefined
}

/** Of a reason in the audit log. */
export const REASON = { min: 3, max: 500 } as const

/** A form that changes something: it says what will happen, keeps what was typed, and links what is wrong. */
export function actionForm({ viewer, formToken, idempotencyKey }: FormPage, form: ActionForm): string {
  const { say } = viewer
  const { values = {}, errors = {}, hidden = {}, isDangerous = false } = form
  const reason: Field = {
    name: 'reason',
    label: say('reason'),
    hint: say('reasonHint', { min: String(REASON.min), max: String(REASON.max) }),
    lengthMin: REASON.min,
    lengthMax: REASON.max,
    autocomplete: 'off',
  }
  const fields = [...(form.fields ?? []), ...(form.asksReason ? [reason] : [])]
  const secrets = { token: formToken, idempotency_key: idempotencyKey, ...hidden }
  return html`<form class="action !${isDangerous ? 'dangerous' : ''}" method="post" action="${form.action}" !${fields.some(({ type }) => type === 'file') ? 'enctype="multipart/form-data"' : ''}>
!${Object.entries(secrets).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
!${errorSummary(viewer, errors)}
!${fields.map((field) => fieldOf(viewer, field, values[field.name], errors[field.name])).join('')}
<div class="consequence"><b>${say('whatHappens')}</b><p>${form.willHappen}</p></div>
<p class="buttons">!${buttons(form.submit, isDangerous)}!${form.cancel === undefined ? '' : html`<a class="button plain" href="${form.cancel}">${say('goBack')}</a>`}</p></form>`
}

const buttons = (submit: ActionForm['submit'], isDangerous: boolean): string => {
  const usual = isDangerous ? 'danger' : 'primary'
  return typeof submit === 'string'
    ? html`<button class="!${usual}">${submit}</button>`
    : submit
        .map(
          ({ text, name, value, style = usual }) =>
            html`<button class="!${style}" name="${name}" value="${value}">${text}</button>`,
        )
        .join('')
}

function errorSummary({ say }: Viewer, errors: Readonly<Record<string, string>>): string {
  const all = Object.entries(errors)
  return all.length === 0
    ? ''
    : html`<div class="flash failed" role="alert" tabindex="-1" autofocus><b>${say.counted('notDone', all.length)}</b><ul>!${all
        .map(([name, text]) => html`<li>!${name === '' ? html`${text}` : html`<a href="#${name}">${text}</a>`}</li>`)
        .join('')}</ul></div>`
}

/** A labelled field with its hint and error. */
export function fieldOf(viewer: Viewer, field: Field, value = '', error?: string, saysOptional = true): string {
  const { name, label, hint, type, isOptional = false } = field
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const attributes = [
    html`id="${name}" name="${name}"`,
    described && html`aria-describedby="${described}"`,
    error && 'aria-invalid="true"',
    !isOptional && 'required',
    field.lengthMin && html`minlength="${String(field.lengthMin)}"`,
    field.lengthMax && html`maxlength="${String(field.lengthMax)}"`,
    field.autocomplete && html`autocomplete="${field.autocomplete}"`,
  ]
    .filter(Boolean)
    .join(' ')
  const optional =
    isOptional && saysOptional && type !== 'checkbox' ? html` <small>(${viewer.say('optional')})</small>` : ''
  const above = html`<label for="${name}">${label}!${optional}</label>`
  const below = html`!${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}!${error ? html`<p class="error" id="${name}-error">${error}</p>` : ''}`
  const control = controlOf(field, value, attributes)
  return type === 'checkbox'
    ? html`<div class="field check">!${control}!${above}!${below}</div>`
    : html`<div class="field">!${above}!${control}!${below}</div>`
}

function controlOf({ type = 'text', options = [], accept = '' }: Field, value: string, attributes: string): string {
  switch (type) {
    case 'select':
      return html`<select !${attributes}>!${options
        .map(([code, text]) => html`<option value="${code}" !${code === value ? 'selected' : ''}>${text}</option>`)
        .join('')}</select>`
    case 'textarea':
      return html`<textarea !${attributes} rows="4">${value}</textarea>`
    case 'checkbox':
      return html`<input !${attributes} type="checkbox" value="yes" !${value === 'yes' ? 'checked' : ''}>`
    case 'file':
      return html`<input !${attributes} type="file" accept="${accept}">`
    // Never filled in: what was typed goes to the gateway alone.
    case 'secret':
      return html`<input !${attributes} type="password">`
    case 'amount':
      return html`<input !${attributes} inputmode="decimal" value="${value}">`
    case 'text':
    case 'email':
    case 'date':
    case 'number':
    case 'url':
      return html`<input !${attributes} type="!${type}" value="${value}">`
  }
}
