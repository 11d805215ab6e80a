import type { CodeSample, OpenApiDocument, Parameter, Schema } from '../reading/document.ts'
import { isObject, textOf, type Json } from '../reading/json.ts'
import type { Example, Operation, Response } from '../reading/operations.ts'
import { dereferenced } from '../reading/references.ts'

const FENCES: Readonly<Record<string, string>> = {
  curl: 'sh',
  TypeScript: 'ts',
  Python: 'python',
  PHP: 'php',
  Java: 'java',
  Go: 'go',
  'C#': 'csharp',
}
/** The language tag of a sample's fence. */
export const fenceOf = ({ label }: CodeSample): string => FENCES[label] ?? ''
/** A sample as a code block. */
export const fenced = (sample: CodeSample): string => `\`\`\`${fenceOf(sample)}\n${sample.source.trimEnd()}\n\`\`\``

/** A text with the samples of the operations that it names: `samples initializeCollection`, as blocks of code. */
export const withSamples = (text: string, operations: readonly Operation[]): string =>
  text.replaceAll(/^```samples (\w+)\n[^]*?^```$/gm, (_block, id: string) => {
    const operation = operations.find((each) => each.id === id)
    if (operation === undefined) throw new Error(`a page shows samples of ${id}, which the contract does not have`)
    const title = operation.kind === 'operation' ? 'Request' : 'A receiver'
    return operation.samples.map((sample) => fenced(sample).replace('\n', ` ${title}: ${sample.label}\n`)).join('\n\n')
  })
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``
/** Text for one cell of a table. */
const cell = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
const section = (title: string, ...parts: readonly string[]): string[] =>
  parts.join('') === '' ? [] : [`## ${title}`, ...parts.filter((part) => part !== '')]

/** A Markdown page of one operation, callback, handshake or redirect: everything that the contract says about it. */
export function operationPage(document: OpenApiDocument, operation: Operation): string {
  const { kind, method, path, summary, description, keys, parameters, body, responses, samples } = operation
  // Fields are shown where they are used, with their description there.
  const whole = (schema: Schema): Schema => dereferenced(document, schema) as Schema
  const keyNames = keys.map(({ header }) => `\`${header}\``)
  return (
    [
      `# ${summary}`,
      kind === 'operation'
        ? `\`${method} ${path}\`, with ${keyNames.join(' and ')}.`
        : `\`${method}\`, sent to you. It needs no keys: verify its signatures.`,
      description.trim(),
      ...section(
        'Parameters',
        parameterTable(
          parameters.filter((parameter) => !isHeader(parameter)),
          whole,
        ),
      ),
      ...section(
        'Body',
        ...(body === undefined ? [] : [...branchesOf(whole(body.schema)).map(fieldTable), ...body.examples.map(shown)]),
      ),
      ...section('Headers', parameterTable(parameters.filter(isHeader), whole)),
      ...section('Replies', ...responses.map(replyPart)),
      ...section('Code', ...samples.map((sample) => `### ${sample.label}\n\n${fenced(sample)}`)),
    ].join('\n\n') + '\n'
  )
}

const isHeader = (parameter: Parameter): boolean => parameter.in === 'header'

const parameterTable = (parameters: readonly Parameter[], whole: (schema: Schema) => Schema): string =>
  parameters.length === 0
    ? ''
    : table(
        ['name', 'in', 'required', 'meaning', 'example'],
        parameters.map(({ name, in: where, required, description, schema, example }) => [
          `\`${name}\``,
          where,
          required ? 'yes' : 'no',
          [description, limitsOf(whole(schema))].filter(Boolean).join(' '),
          `\`${String(example)}\``,
        ]),
      )

/** The types of a value that has several, or the value itself. */
const branchesOf = (schema: Schema): readonly Schema[] => schema.oneOf?.flatMap(branchesOf) ?? [schema]

function fieldTable(schema: Schema): string {
  const rows = fieldsOf(schema, '')
  return `### ${schema.title ?? 'Fields'}\n\n${table(['field', 'type', 'required', 'meaning'], rows)}`
}

function fieldsOf(schema: Schema, prefix: string): string[][] {
  const members = [schema, ...(schema.allOf ?? [])]
  const required = members.flatMap((member) => member.required ?? [])
  // A later member narrows an earlier one, so it wins.
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

/** The contract says so for readers of the HTML file; here the value itself does. */
const withoutAlways = (description = ''): string => (/^Always `[^`]+`\.$/.test(description.trim()) ? '' : description)

function limitsOf({ enum: values, minLength, maxLength, minimum, maximum, default: usual }: Schema): string {
  const parts = [
    values &&
      `${values.length === 1 ? 'Always' : 'One of'} ${values.map((value) => `\`${textOf(value as Json)}\``).join(', ')}.`,
    maxLength !== undefined &&
      `${minLength === maxLength ? maxLength : `${minLength ?? 0} to ${maxLength}`} characters.`,
    maximum !== undefined && `From ${minimum ?? 0} to ${maximum}.`,
    usual !== undefined && `Default \`${textOf(usual as Json)}\`.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const shown = ({ summary, value }: Example): string => `${summary}:\n\n${json(value)}`

/** Successes are shown in full; refusals differ only in their message. */
function replyPart({ status, description, examples }: Response): string {
  const values = /^[45]/.test(status)
    ? examples.map(({ summary, value }) => `- ${summary}: ${inCode(faultIn(value))}`).join('\n')
    : examples.map(shown).join('\n\n')
  return [`### ${status}`, description.trim(), values].filter(Boolean).join('\n\n')
}

const inCode = ({ message, reason }: ReturnType<typeof faultIn>): string =>
  `\`${message}\`${reason === '' ? '' : ` (\`${reason}\`)`}`

/** The texts of an error, for people and for programs; empty in a merchant's own answer. */
export function faultIn(value: unknown): { readonly message: string; readonly reason: string } {
  const textIn = (name: string): string => (isObject(value) && name in value ? String(value[name]) : '')
  return { message: textIn('message'), reason: textIn('reason') }
}
