import { html } from 'ghtml'
import type { OpenApiDocument } from '../../reading/document.ts'
import { textOf, type Json } from '../../reading/json.ts'
import type { Example, Operation, Response } from '../../reading/operations.ts'
import { errorRowsIn, type ErrorRow } from '../error-rows.ts'
import { faultIn, fenceOf } from '../operation-page.ts'
import type { MarkdownPage } from '../pages.ts'
import { anchorOfField, fieldList, fieldReader, type Field, type FieldGroup } from './fields.ts'
import { foldedLinks } from './guide-page.ts'
import { codeBlock } from './highlight.ts'
import { anchorOf, breakable, rendered, renderedInline, type Heading } from './markdown.ts'
import type { SitePage } from './page.ts'
import { tabs } from './tabs.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** A field with its anchor on the page. */
export interface PlacedField {
  readonly id: string
  readonly field: Field
}
/** An error with its anchor on the page. */
export interface PlacedError {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly reason: string
  readonly when: string
  readonly row: ErrorRow | undefined
}

/** An operation's page, with its entries for the search. */
export interface OperationSitePage extends SitePage {
  readonly fields: readonly PlacedField[]
  readonly errors: readonly PlacedError[]
}

interface Section {
  readonly heading: Heading
  readonly body: string
  readonly fields: readonly PlacedField[]
}

/** Builds pages of operations, callbacks, the handshake and the redirect. */
export function operationPages(document: OpenApiDocument) {
  const reader = fieldReader(document)
  const rows = errorRowsIn(document.tags?.find(({ name }) => name === 'errors')?.description ?? '')
  return (operation: Operation, { slug, title, group, about }: MarkdownPage): OperationSitePage => {
    const { kind, method, path, keys } = operation
    const isCalled = kind === 'operation'
    const { lead, rest } = leadOf(operation.description)
    const errors = errorsOf(operation, rows)
    const parameters = operation.parameters.map(reader.ofParameter).toSorted(byNeed)
    const isHeader = ({ place }: Field): boolean => place === 'header'
    const sections = [
      parametersPart(
        operation,
        'Parameters',
        parameters.filter((field) => !isHeader(field)),
      ),
      ...groupParts(
        { id: 'body', title: 'Body', direction: isCalled ? 'sent' : 'received' },
        operation.body ? reader.groupsOf(operation.body.schema, 'Common fields') : [],
      ),
      // What differs from operation to operation comes first.
      parametersPart(operation, 'Headers', parameters.filter(isHeader)),
      ...answersOf(operation, isSuccess).flatMap((answer) => replyParts(operation, answer, reader)),
      replyHeadersPart(operation, reader),
    ].filter((section) => section !== undefined)
    const reported = rendered(rest, 'about-')
    const refusals = refusalsPart(operation, errors)
    const endpoint = isCalled ? path : addressee(operation)
    return {
      slug,
      title,
      group,
      about,
      method,
      ...(isCalled && { triedOperation: operation.id }),
      headings: sections.map(({ heading }) => heading),
      fields: sections.flatMap(({ fields }) => fields),
      errors,
      body: html`<article class="operation"><header><h1>${title}</h1><p class="lead">!${renderedInline(lead)}</p><p class="endpoint"><span class="method !${method.toLowerCase()}">${method}</span> <code>!${breakable(endpoint)}</code></p><p class="keys">!${isCalled ? html`Keys: !${keys.map(({ header }) => html`<code>${header}</code>`).join(' and ')}` : 'Sent to you, without keys: verify its signatures.'}</p><!--console-->!${wayThrough(`${sections.map(({ body }) => body).join('')}${refusals}`)}</header>
<div class="columns"><div class="operation-samples">!${samplesPart(operation)}!${examplesPart(operation)}</div><div class="operation-text"><div class="text">!${reported.body}</div>!${sections.map(({ body }) => body)}!${refusals}</div></div></article>`,
    }
  }
}

/** A page on the merchant's side. */
const REDIRECT_EXAMPLE = 'https://shop.example/paid'

const isSuccess = ({ status }: Response): boolean => status.startsWith('2')

/** Answers with the same effect, with all their statuses as one name, as in the texts: `408, 425, 3xx`. */
interface NamedResponse extends Response {
  readonly name: string
}

/** A merchant's answers are merged where Malipo treats several statuses alike; replies are listed one by one. */
function answersOf({ kind, responses }: Operation, isMeant: (response: Response) => boolean): NamedResponse[] {
  const meant = responses.filter(isMeant)
  const groups = Map.groupBy(meant, ({ status, description }) => (kind === 'operation' ? status : description))
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const statuses = [first, ...others].map(({ status }) => status)
    const reported = statuses.filter((status) => !statuses.includes(classOf(status)) || status === classOf(status))
    const isRest = (status: string): boolean =>
      meant.some((other) => !statuses.includes(other.status) && classOf(other.status) === status)
    const name = reported.map((status) => (isRest(status) ? `other ${status}` : status)).join(', ')
    return [{ ...first, name: name.replace(/^o/, 'O').replaceAll('XX', 'xx') }]
  })
}
const classOf = (status: string): string => `${status.charAt(0)}XX`

/** On a phone the page is long, and its parts are out of sight. */
function wayThrough(body: string): string {
  const parts = [...body.matchAll(/<h2 id="([^"]+)">(.*?) <a /g)]
  return foldedLinks(
    html`<ul>!${parts.map(([, id = '', text = '']) => html`<li><a href="#${id}">!${text}</a></li>`)}</ul>`,
  )
}

/** Whose address it is, as the guides call it. */
const addressee = ({ kind, path }: Operation): string => {
  if (kind === 'redirect') return 'your redirect_url'
  if (path === 'payoutHandshake') return 'your verification URL'
  return `your ${path.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} URL`
}

/** The first sentence, split from the rest. */
function leadOf(description: string): { readonly lead: string; readonly rest: string } {
  const [, lead = '', rest = ''] = /^([^]*?\.)(?=\s|$)\s*([^]*)$/.exec(description.trim()) ?? []
  return /\n\s*\n/.test(lead) || lead === '' ? { lead: '', rest: description.trim() } : { lead, rest }
}

const heading = (id: string, text: string, level = 2): Heading => ({ id, text, level })
const headingLine = ({ id, text, level }: Heading): string =>
  html`<h!${String(level)} id="${id}">${text} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h!${String(level)}>`

/** Required ones first. */
const byNeed = (one: Field, other: Field): number => Number(other.isRequired) - Number(one.isRequired)

function parametersPart(
  { kind }: Operation,
  name: 'Parameters' | 'Headers',
  fields: readonly Field[],
): Section | undefined {
  if (fields.length === 0) return undefined
  const isSent = kind === 'operation'
  const place = name === 'Headers' ? 'headers' : 'query'
  const title = heading(name.toLowerCase(), isSent ? name : `What comes in the ${place}`)
  return {
    heading: title,
    body: headingLine(title) + fieldList(fields, 'parameter', isSent ? 'sent' : 'received'),
    fields: fields.map((field) => ({ id: anchorOfField('parameter', field), field })),
  }
}

interface MessagePage {
  readonly id: string
  readonly title: string
  readonly direction: 'sent' | 'received'
}

function groupParts({ id, title, direction }: MessagePage, groups: readonly FieldGroup[]): Section[] {
  return groups.map((group, index) => {
    const place = groups.length === 1 ? id : `${id}-${anchorOf(group.title)}`
    const shown = heading(place, group.title || title, groups.length === 1 ? 2 : 3)
    const above = index === 0 && groups.length > 1 ? headingLine(heading(id, title)) : ''
    return {
      heading: shown,
      body: above + headingLine(shown) + fieldList(group.fields, place, direction),
      fields: group.fields.map((field) => ({ id: anchorOfField(place, field), field })),
    }
  })
}

type Reader = ReturnType<typeof fieldReader>

function replyParts(
  { kind }: Operation,
  { status, description, schema, name }: NamedResponse,
  reader: Reader,
): Section[] {
  const title = heading(`reply-${status.toLowerCase()}`, `${kind === 'operation' ? 'Reply' : 'Your answer'} ${name}`)
  const said = html`!${headingLine(title)}!${rendered(description).body}`
  const groups = schema === undefined ? [] : reader.groupsOf(schema, 'Common fields')
  const direction = kind === 'operation' ? 'received' : 'sent'
  const parts = groupParts({ id: title.id, title: title.text, direction }, groups)
  return [
    { heading: title, body: said, fields: [] },
    ...parts.map((part, index) => ({
      ...part,
      // Its heading already stands above, with the meaning of the status.
      body:
        groups.length > 1
          ? part.body.slice(index === 0 ? part.body.indexOf('<h3') : 0)
          : part.body.replace(/^<h2.*?<\/h2>/, ''),
    })),
  ]
}

/** The headers of replies, and which replies have them. */
function replyHeadersPart({ kind, responses }: Operation, reader: Reader): Section | undefined {
  const names = new Set(responses.flatMap(({ headers }) => headers.map(({ name }) => name)))
  if (kind !== 'operation' || names.size === 0) return undefined
  const fields = [...names].flatMap((name) => {
    const having = responses.filter(({ headers }) => headers.some((header) => header.name === name))
    const header = having[0]?.headers.find((each) => each.name === name)
    const where =
      having.length === responses.length ? 'every reply' : `replies ${having.map(({ status }) => status).join(', ')}`
    return header ? [reader.ofHeader(header, `in ${where}`)] : []
  })
  const title = heading('reply-headers', 'Headers of replies')
  return {
    heading: title,
    body: headingLine(title) + fieldList(fields, title.id, 'received'),
    fields: fields.map((field) => ({ id: anchorOfField(title.id, field), field })),
  }
}

const samplesPart = ({ kind, samples }: Operation): string =>
  tabs(
    'sample',
    kind === 'operation' ? 'Request' : 'A receiver',
    samples
      .filter(({ lang }) => lang !== 'payload')
      .map((sample) => ({ label: sample.label, body: codeBlock(sample.source, fenceOf(sample), sample.label) })),
    true,
  )

const json = ({ value }: Example): string => codeBlock(JSON.stringify(value, undefined, 2), 'json')
const exampleTab = (example: Example) => ({ label: example.summary ?? example.name, body: json(example) })

/** The query of the customer's browser to a merchant's page, one parameter per line. */
function addressPart({ parameters }: Operation): string {
  const query = parameters.map(({ name, example }) => `${name}=${encodeURIComponent(textOf(example as Json))}`)
  return tabs('address', 'The address', [
    {
      label: 'an example',
      body: codeBlock(`${REDIRECT_EXAMPLE}\n?${query.join('\n&')}`, 'text', 'One line, broken here to be read'),
    },
  ])
}

/** Replies of an operation; for a message of Malipo, its body or its address. */
function examplesPart(operation: Operation): string {
  const { kind, body, responses } = operation
  if (kind === 'redirect') return addressPart(operation)
  if (kind !== 'operation') return tabs('payload', 'Body', (body?.examples ?? []).map(exampleTab))
  return responses
    .filter(isSuccess)
    .map(({ status, examples }) => tabs(`reply-${status}-example`, `Reply ${status}`, examples.map(exampleTab)))
    .join('')
}

const errorsOf = ({ responses }: Operation, rows: readonly ErrorRow[]): PlacedError[] =>
  responses
    .filter(({ status }) => /^[45]/.test(status))
    .flatMap(({ status, examples }) =>
      examples.map(({ name, summary = name, value }) => {
        const { message, reason } = faultIn(value)
        return {
          id: `error-${status}-${anchorOf(name)}`,
          status,
          message,
          reason,
          when: summary,
          row: rows.find((row) => row.code === Number(status) && row.message === message),
        }
      }),
    )

/** Everything but success: the refusals of an operation, or the effects of merchants' answers. */
function refusalsPart(operation: Operation, errors: readonly PlacedError[]): string {
  const { kind } = operation
  const refusals = answersOf(operation, (response) => !isSuccess(response))
  if (refusals.length === 0) return ''
  return [
    headingLine(heading('errors', kind === 'operation' ? 'Errors' : 'Your other answers')),
    ...refusals.map(({ status, description, name }) => {
      const own = errors.filter((error) => error.status === status)
      return html`!${headingLine(heading(`error-${status.toLowerCase()}`, name, 3))}!${rendered(description).body}!${own.length === 0 ? '' : html`<dl class="errors">!${own.map(errorEntry)}</dl>`}`
    }),
  ].join('')
}

const errorEntry = ({ id, message, reason, when, row }: PlacedError): string =>
  html`<div id="${id}"><dt><code>${message}</code> <span class="type option">${reason}</span></dt><dd>!${renderedInline(row?.texts[0] ?? `${when}.`)} !${row?.texts[1] === undefined ? '' : html`<strong>Do:</strong> !${renderedInline(row.texts[1])}`}</dd></div>`
