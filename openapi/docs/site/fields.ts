import { html } from 'ghtml'
import type { OpenApiDocument, Parameter, Schema } from '../../reading/document.ts'
import { sameJson, textOf, type Json } from '../../reading/json.ts'
import type { Header } from '../../reading/operations.ts'
import { dereferenced } from '../../reading/references.ts'
import { flattener } from '../../reading/schemas.ts'
import { anchorOf, breakable, rendered, withCharacters } from './markdown.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** A field or parameter as the docs show it. */
export interface Field {
  /** With the names of its parents: `extra_params.bank_code`. */
  readonly name: string
  readonly isRequired: boolean
  readonly type: string
  /** The constraints on its value, a few words each. */
  readonly bounds: readonly string[]
  /** Its description, as Markdown. */
  readonly about: string
  /** Its possible values, if they are few. */
  readonly values: readonly string[]
  /** The location of a parameter: `header`. */
  readonly place?: string
  readonly example?: string
}

/** Fields under a heading: those of all variants, or those of one variant. */
export interface FieldGroup {
  readonly title: string
  readonly fields: readonly Field[]
}

/** They have a list of their own, whose heading names the location. */
export const IN_REPLY = 'reply header'

/** Reads the fields of a contract's bodies, replies and parameters. */
export function fieldReader(document: OpenApiDocument) {
  const flat = flattener(document)
  const wholes = new WeakMap<Schema, Schema>()
  const whole = (schema: Schema): Schema => {
    const known = wholes.get(schema) ?? (dereferenced(document, schema) as Schema)
    wholes.set(schema, known)
    return flat(known)
  }
  const branchesOf = (schema: Schema): readonly Schema[] => {
    const { oneOf } = whole(schema)
    return oneOf === undefined ? [whole(schema)] : oneOf.flatMap(branchesOf)
  }
  const typeOf = (schema: Schema): string => {
    const { type, items, oneOf } = whole(schema)
    return items ? `array of ${typeOf(items)}s` : (type ?? (oneOf ? 'object' : ''))
  }
  const fieldsOf = (schema: Schema, prefix = ''): Field[] => {
    const { properties = {}, required = [] } = whole(schema)
    return Object.entries(properties).flatMap(([name, property]) => {
      const field = whole(property)
      const inner = field.items ? whole(field.items) : field
      const dots = field.items ? '[].' : '.'
      return [
        fieldFrom(`${prefix}${name}`, required.includes(name), typeOf(field), field),
        ...merged(branchesOf(inner).map((branch) => fieldsOf(branch, `${prefix}${name}${dots}`))),
      ]
    })
  }
  return {
    ofParameter: ({ name, in: place, required = false, description, schema, example }: Parameter): Field => ({
      ...fieldFrom(name, required, typeOf(schema), { ...whole(schema), ...(description && { description }) }),
      place,
      ...(example !== undefined && { example: textOf(example as Json) }),
    }),
    /** @param where the replies that have it */
    ofHeader({ description, ...header }: Header, where: string): Field {
      const field = this.ofParameter({ ...header, in: IN_REPLY, ...(description && { description }) })
      return { ...field, bounds: [...field.bounds, where] }
    },
    /** The fields that all variants share, then those of each variant. */
    groupsOf(schema: Schema, everyKind: string): FieldGroup[] {
      const branches = branchesOf(schema).map((branch) => ({
        title: branch.title ?? '',
        fields: fieldsOf(branch),
      }))
      const [first, ...others] = branches
      if (first === undefined || others.length === 0)
        return first === undefined || first.fields.length === 0 ? [] : [{ ...first, title: '' }]
      const isShared = (field: Field) => branches.every(({ fields }) => fields.some((each) => same(each, field)))
      return [
        { title: everyKind, fields: first.fields.filter(isShared) },
        ...branches.map(({ title, fields }) => ({ title, fields: fields.filter((field) => !isShared(field)) })),
      ].filter(({ fields }) => fields.length > 0)
    },
  }
}

const same = (one: Field, other: Field): boolean => sameJson(one as unknown as Json, other as unknown as Json)

/** Merges fields of several variants: one that some variants lack is optional, and all values are listed. */
function merged(kinds: readonly (readonly Field[])[]): Field[] {
  const byName = Map.groupBy(kinds.flat(), ({ name }) => name)
  return [...byName.values()].flatMap((fields) => {
    const [first] = fields
    if (first === undefined) return []
    const isAnything = fields.some(({ values }) => values.length === 0)
    return [
      {
        ...first,
        isRequired: fields.length === kinds.length && fields.every(({ isRequired }) => isRequired),
        bounds: first.bounds.filter((bound) => fields.every(({ bounds }) => bounds.includes(bound))),
        values: isAnything ? [] : [...new Set(fields.flatMap(({ values }) => values))],
      },
    ]
  })
}

function fieldFrom(name: string, isRequired: boolean, type: string, schema: Schema): Field {
  const { description = '', enum: values = [], 'x-extensible-enum': known = [] } = schema
  return {
    name,
    isRequired,
    type,
    bounds: boundsOf(schema),
    // The contract says so for tools that show no values; here the value itself does.
    about: /^Always `[^`]+`\.$/.test(description.trim()) ? '' : description.trim(),
    values: [...values, ...known].map((value) => textOf(value as Json)),
  }
}

/** Display names of formats. */
const FORMATS: Readonly<Record<string, string>> = { uri: 'a URL', email: 'an e-mail address' }
const NUMBERS = new Intl.NumberFormat('en')
const counted = (value: number): string => NUMBERS.format(value)

function boundsOf(schema: Schema): string[] {
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems = 0,
    maxItems,
    format,
    default: usual,
    enum: values,
  } = schema
  if (values?.length === 1) return []
  const form = schema['x-pattern-message']
  const parts = [
    maxLength !== undefined && !saysLength(form, minLength, maxLength) && lengthText(minLength, maxLength),
    maximum !== undefined && `${counted(minimum ?? 0)} to ${counted(maximum)}`,
    maxItems !== undefined && `${minItems} to ${counted(maxItems)} entries`,
    format !== undefined && form === undefined && !/^int|^double/.test(format) && (FORMATS[format] ?? format),
    form,
    usual !== undefined && `default ${textOf(usual as Json)}`,
  ]
  return parts.filter((part) => typeof part === 'string')
}

const lengthText = (min = 0, max: number): string =>
  min === max ? `${max} characters` : `${min} to ${counted(max)} characters`

/** `must have 8 to 36 characters out of …` includes the length. */
const saysLength = (form = '', min = 0, max: number): boolean =>
  form.includes(`${min} to ${max} `) ||
  form.includes(` to ${max} characters`) ||
  (min === max && form.includes(`${max}-letter`))

/** @param prefix of its anchor, because a name may occur on a page several times */
export const anchorOfField = (prefix: string, { name }: Field): string => `${prefix}-${anchorOf(name)}`

/** A writer of the field must know whether it is required; a reader, when it may be absent. */
const PRESENCE = {
  sent: { required: 'required', optional: 'optional' },
  received: { required: '', optional: 'may be absent' },
} as const

/**
 * A list of fields, each with type, bounds, description, and an anchor.
 *
 * @param direction from the reader's point of view
 */
export const fieldList = (fields: readonly Field[], prefix: string, direction: keyof typeof PRESENCE): string =>
  html`<dl class="fields">!${fields.map((field) => fieldEntry(field, anchorOfField(prefix, field), direction))}</dl>`

function fieldEntry(field: Field, id: string, direction: keyof typeof PRESENCE): string {
  const { name, isRequired, type, bounds, about, values, place, example } = field
  const presence = isRequired ? 'required' : 'optional'
  const said = PRESENCE[direction][presence]
  const cut = name.lastIndexOf('.') + 1
  const depth = name.split('.').length - 1
  return html`<div class="field depth-${depth}" id="${id}"><dt><a class="name" href="#${id}"><code><span class="path">!${breakable(name.slice(0, cut))}</span><wbr>!${breakable(name.slice(cut))}</code></a> <span class="facts"><span class="type">${place === undefined || place === IN_REPLY ? type : `${place}, ${type}`}</span>!${said === '' ? '' : html` <span class="!${direction === 'sent' ? presence : 'optional'}">${said}</span>`}</span></dt>
<dd>!${about === '' ? '' : rendered(about, `${id}-`).body}!${valuesLine(values, about)}!${bounds.length === 0 ? '' : html`<p class="bounds">!${withCharacters(sentence(bounds.join('; ')))}</p>`}!${
    example === undefined || values.length === 1 ? '' : html`<p class="bounds">Example: <code>${example}</code></p>`
  }</dd></div>`
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** @param about description that the page already has */
function valuesLine(values: readonly string[], about: string): string {
  if (values.length === 0) return ''
  if (values.length > 1 && values.every((value) => about.includes(`\`${value}\``))) return ''
  const shown = values.map((value) => html`<code>${value}</code>`).join(', ')
  return `<p class="bounds">${values.length === 1 ? 'Always' : 'One of'} ${shown}.</p>`
}
