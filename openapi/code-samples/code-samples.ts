import { existsSync, readFileSync } from 'node:fs'
import { callsOf, type Call } from '../client/calls-of-contract.ts'
import { parseDocument } from '../reading/contract.ts'
import type { CodeSample, OpenApiDocument, Schema } from '../reading/document.ts'
import { follow, schemaNamed } from '../reading/references.ts'
import {
  cSharpList,
  curlList,
  goList,
  javaList,
  phpList,
  pythonList,
  typeScriptList,
  type ListCall,
} from './list-samples.ts'

interface SampleLanguage {
  /** `curl/send-funds.sh` is the sample of `sendFunds`. */
  readonly folder: string
  readonly extension: string
  readonly lang: string
  readonly label: string
  /** The sample of an operation that returns a list. */
  readonly list: (call: ListCall) => string
}

const LANGUAGES: readonly SampleLanguage[] = [
  { folder: 'curl', extension: 'sh', lang: 'Shell', label: 'curl', list: curlList },
  { folder: 'typescript', extension: 'ts', lang: 'TypeScript', label: 'TypeScript', list: typeScriptList },
  { folder: 'python', extension: 'py', lang: 'Python', label: 'Python', list: pythonList },
  { folder: 'php', extension: 'php', lang: 'PHP', label: 'PHP', list: phpList },
  { folder: 'java', extension: 'java', lang: 'Java', label: 'Java', list: javaList },
  { folder: 'go', extension: 'go', lang: 'Go', label: 'Go', list: goList },
  { folder: 'csharp', extension: 'cs', lang: 'C#', label: 'C#', list: cSharpList },
]

/**
 * The bundled contract with the samples of its operations: a list operation that names in `x-client` what a sample
 * `shows` gets them written, every other has a file of its own in each language.
 *
 * @throws Error naming the operation and the file, when a sample is missing
 */
export function withCodeSamples(bundle: string): string {
  const document = parseDocument(bundle)
  const calls = new Map(callsOf(document).map((call) => [call.operation.id, call]))
  const paths = Object.fromEntries(
    Object.entries(document.paths ?? {}).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, piece]) => {
          const call = calls.get((piece as { readonly operationId?: string }).operationId ?? '')
          return [
            method,
            call ? { ...(piece as object), 'x-codeSamples': samplesOf(document, call) } : (piece as object),
          ]
        }),
      ),
    ]),
  )
  return `${JSON.stringify({ ...document, paths }, null, 2)}\n`
}

function samplesOf(document: OpenApiDocument, call: Call): readonly CodeSample[] {
  const list = listCallOf(document, call)
  return LANGUAGES.map(({ lang, label, ...language }) => ({
    lang,
    label,
    source: list ? language.list(list) : fileOf(call, language),
  }))
}

function fileOf(
  { operation: { id } }: Call,
  { folder, extension }: Pick<SampleLanguage, 'folder' | 'extension'>,
): string {
  const name = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const file = new URL(`${folder}/${name}.${extension}`, import.meta.url)
  if (!existsSync(file))
    throw new Error(
      `${id} has no sample openapi/code-samples/${folder}/${name}.${extension}: write it, or, for a list, name in x-client what samples show`,
    )
  return readFileSync(file, 'utf8')
}

/** @returns undefined for an operation whose samples are written by hand */
function listCallOf(
  document: OpenApiDocument,
  { name, group, needsSecretKey, result, operation: { id, path, parameters }, notes }: Call,
): ListCall | undefined {
  const { list: paged, result: list = paged, shows, asks } = notes
  if (shows === undefined || list === undefined) return undefined
  const { properties = {} } = itemOf(document, schemaNamed(document, result.replace('[]', '')), paged)
  return {
    name,
    group,
    needsSecretKey,
    operationId: id,
    result: list,
    isPage: paged !== undefined,
    url: `${document.servers?.[0]?.url ?? ''}${path}`,
    query: parameters
      .filter((each) => each.in === 'query' && (asks?.includes(each.name) ?? true))
      .map((each) => [each.name, String(each.example)]),
    shows: shows.map((field): readonly [string, Schema] => {
      const schema = properties[field]
      if (schema === undefined) throw new Error(`${id}: samples show ${field}, which an item does not have`)
      return [field, follow(document, schema)]
    }),
  }
}

/** The schema of an item: of a union its first, whose fields the others share. */
function itemOf(document: OpenApiDocument, schema: Schema, paged: string | undefined): Schema {
  const named = follow(document, schema)
  const item = paged === undefined ? named : follow(document, named.properties?.[paged]?.items ?? {})
  return follow(document, item.oneOf?.[0] ?? item)
}
