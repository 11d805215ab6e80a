import type { Contract, Example, Parameter, PlacedOperation, Reply, Schema } from './contract.ts'
import { keyHeadersOf } from './contract.ts'

const FENCES: Readonly<Record<string, string>> = { curl: 'sh', TypeScript: 'ts', Python: 'python', PHP: 'php' }
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``
/** Text in one cell of a table. */
const cell = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
const section = (title: string, ...parts: readonly string[]): string[] =>
  parts.join('') === '' ? [] : [`## ${title}`, ...parts.filter((part) => part !== '')]

/** A Markdown page of one operation, callback, handshake or redirect: everything that the contract says of it. */
export function operationPage(contract: Contract, { method, path, operation }: PlacedOperation): string {
  const { summary, description, parameters = [], requestBody, responses, 'x-codeSamples': samples = [] } = operation
  const keys = keyHeadersOf(contract, operation).map((name) => `\`${name}\``)
  const body = requestBody?.content?.['application/json']
  return (
    [
      `# ${summary}`,
      path === undefined
        ? `\`${method}\`, sent to you. It needs no keys: verify its signatures.`
        : `\`${method} ${path}\`, with ${keys.join(' and ')}.`,
      description.trim(),
      ...section('Parameters', parameters.length === 0 ? '' : parameterTable(parameters)),
      ...section(
        'Body',
        ...(body === undefined ? [] : [...branchesOf(body.schema).map(fieldTable), ...examplesOf(body.examples)]),
      ),
      ...section('Replies', ...Object.entries(responses).map(([status, reply]) => replyPart(status, reply))),
      ...section(
        'Code',
        ...samples.map(
          ({ label, source }) => `### ${label}\n\n\`\`\`${FENCES[label] ?? ''}\n${source.trimEnd()}\n\`\`\``,
        ),
      ),
    ].join('\n\n') + '\n'
  )
}

const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['name', 'in', 'required', 'meaning', 'example'],
    parameters.map(({ name, in: where, required, description, schema, example }) => [
      `\`${name}\``,
      where,
      required ? 'yes' : 'no',
      [description, limitsOf(schema)].filter(Boolean).join(' '),
      `\`${String(example)}\``,
    ]),
  )

/** The kinds of a value that has several, or the value itself. */
const branchesOf = (schema: Schema): readonly Schema[] => schema.oneOf?.flatMap(branchesOf) ?? [schema]

function fieldTable(schema: Schema): string {
  const rows = fieldsOf(schema, '')
  return `### ${schema.title ?? 'Fields'}\n\n${table(['field', 'type', 'required', 'meaning'], rows)}`
}

function fieldsOf(schema: Schema, prefix: string): string[][] {
  const members = [schema, ...(schema.allOf ?? [])]
  const required = members.flatMap((member) => member.required ?? [])
  // A later member narrows an earlier one, so its word counts.
  const properties = Object.fromEntries(members.flatMap((member) => Object.entries(member.properties ?? {})))
  return Object.entries(properties).flatMap(([name, field]) => [
    [
      `\`${prefix}${name}\``,
      typeOf(field),
      required.includes(name) ? 'yes' : 'no',
      [withoutAlways(field.description), limitsOf(field)].filter(Boolean).join(' '),
    ],
    ...branchesOf(field)
      .slice(0, 1)
      .flatMap((inner) => fieldsOf(inner, `${prefix}${name}.`)),
  ])
}

const typeOf = ({ type, items, oneOf }: Schema): string =>
  items ? `array of ${typeOf(items)}` : (type ?? (oneOf ? 'object' : ''))

/** The contract says so where a reader of the HTML file needs it; here the value itself does. */
const withoutAlways = (description = ''): string => (/^Always `\w+`\.$/.test(description.trim()) ? '' : description)

function limitsOf({ enum: values, minLength, maxLength, minimum, maximum, default: usual }: Schema): string {
  const parts = [
    values && `${values.length === 1 ? 'Always' : 'One of'} ${values.map((value) => `\`${value}\``).join(', ')}.`,
    maxLength !== undefined &&
      `${minLength === maxLength ? maxLength : `${minLength ?? 0} to ${maxLength}`} characters.`,
    maximum !== undefined && `From ${minimum ?? 0} to ${maximum}.`,
    usual !== undefined && `Default \`${String(usual)}\`.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const examplesOf = (examples: Readonly<Record<string, Example>>): string[] =>
  Object.values(examples).map(({ summary, value }) => `${summary}:\n\n${json(value)}`)

/** Successes are shown whole; of a refusal the message is what differs. */
function replyPart(status: string, { description, content }: Reply): string {
  const examples = content?.['application/json']?.examples ?? {}
  const shown = /^[45]/.test(status)
    ? Object.values(examples)
        .map(({ summary, value }) => `- ${summary}: \`${messageOf(value)}\``)
        .join('\n')
    : examplesOf(examples).join('\n\n')
  return [`### ${status}`, description.trim(), shown].filter(Boolean).join('\n\n')
}

const messageOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'message' in value ? String(value.message) : ''
