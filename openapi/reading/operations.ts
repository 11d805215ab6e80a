import {
  METHODS,
  type ClientNotes,
  type CodeSample,
  type WithExamples,
  type HeaderPiece,
  type Link,
  type NameMap,
  type OpenApiDocument,
  type OperationPiece,
  type Parameter,
  type PathItem,
  type Paths,
  type ResponsePiece,
  type Schema,
} from './document.ts'
import { isJsonType } from './json.ts'
import { entriesOf, follow, placed } from './references.ts'

/**
 * Its direction: a client sends an `operation`, the server sends a `message` (webhook), a browser carries a `redirect`
 * (callback).
 */
export type Kind = 'operation' | 'message' | 'redirect'

/** A request that the contract declares, in any direction. */
export interface Operation {
  readonly kind: Kind
  readonly id: string
  /** Texts for people; empty where the contract has none. */
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly samples: readonly CodeSample[]
  readonly client?: ClientNotes
  /** Of a redirect: the id of the operation that leads to it. */
  readonly cause?: string
  /** Upper case. */
  readonly method: string
  /**
   * `/payments/{id}`; the name of a message, and the expression of a redirect: the receiver chooses their addresses.
   */
  readonly path: string
  /** The name of a redirect's callback, the path of everything else. */
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** Alternative sets of schemes. */
  readonly security: readonly (readonly string[])[]
  /** The keys of the first set. */
  readonly keys: readonly Key[]
  /** Every media type that it accepts. */
  readonly request?: { readonly required: boolean; readonly content: readonly Media[] }
  /** The JSON that it accepts. */
  readonly body?: { readonly required: boolean; readonly schema: Schema; readonly examples: readonly Example[] }
  readonly responses: readonly Response[]
}

/** The location of a scheme's key: the header, query parameter or cookie with this name. */
export interface Key {
  readonly scheme: string
  /** Lower case, unless it is no header. */
  readonly header: string
  readonly in: 'header' | 'query' | 'cookie'
}

/** A body of one media type. */
export interface Media {
  /** `application/json` */
  readonly type: string
  readonly schema: Schema
  readonly examples: readonly Example[]
}

/** A reply that the contract declares. */
export interface Response {
  /** `202` or `4XX`. */
  readonly status: string
  readonly description: string
  readonly content: readonly Media[]
  /** That of its JSON. */
  readonly schema?: Schema
  readonly headers: readonly Header[]
  readonly examples: readonly Example[]
  readonly links: readonly { readonly name: string; readonly link: Link }[]
}

/** A header of a reply. */
export interface Header extends HeaderPiece {
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

/** Examples by name. */
export interface Example {
  readonly name: string
  readonly summary?: string
  /** Of a refusal: a request meets it although it fits the schemas. */
  readonly isBusinessRule?: true
  readonly value: unknown
}

const known = new WeakMap<OpenApiDocument, readonly Operation[]>()

/** Every operation with its redirects, then every message; read once. @throws Error when a `$ref` leads nowhere */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  const operations = known.get(document) ?? [
    ...within(document, 'operation', document.paths),
    ...within(document, 'message', document.webhooks),
  ]
  known.set(document, operations)
  return operations
}

/** @param cause of requests that an operation leads to: its id, and the name of its callback */
function within(
  document: OpenApiDocument,
  kind: Kind,
  paths: Paths | undefined,
  cause?: { readonly id: string; readonly name: string },
): Operation[] {
  return entriesOf(document, paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const piece = item[method]
      if (!piece) return []
      const { operationId: id, summary = '', description = '', tags = [], callbacks } = piece
      const { 'x-codeSamples': samples = [], 'x-client': client } = piece
      const parameters = [...(item.parameters ?? []), ...(piece.parameters ?? [])]
      return [
        {
          kind,
          id,
          summary,
          description,
          tags,
          samples,
          ...(client && { client }),
          ...(cause && { cause: cause.id }),
          method: method.toUpperCase(),
          path,
          name: cause?.name ?? path,
          parameters: parameters.map((parameter) => placed(document, parameter)),
          ...securityOf(document, piece),
          ...requestOf(document, piece),
          responses: entriesOf(document, piece.responses).map(([status, response]) =>
            responseOf(document, status.toUpperCase(), response),
          ),
        },
        ...entriesOf(document, callbacks).flatMap(([name, sent]) => within(document, 'redirect', sent, { id, name })),
      ]
    }),
  )
}

function securityOf(document: OpenApiDocument, piece: OperationPiece): Pick<Operation, 'security' | 'keys'> {
  const security = (piece.security ?? document.security ?? []).map((schemes) => Object.keys(schemes))
  const keyOf = (scheme: string): Key => {
    const declared = document.components?.securitySchemes?.[scheme]
    const { name, in: place } = declared ? follow(document, declared) : {}
    // Every scheme other than `apiKey` has its credentials there (RFC 9110, section 11.6.2).
    if (name === undefined) return { scheme, header: 'authorization', in: 'header' }
    return place === 'query' || place === 'cookie'
      ? { scheme, header: name, in: place }
      : { scheme, header: name.toLowerCase(), in: 'header' }
  }
  return { security, keys: (security[0] ?? []).map(keyOf) }
}

function requestOf(document: OpenApiDocument, { requestBody }: OperationPiece): Pick<Operation, 'request' | 'body'> {
  if (!requestBody) return {}
  const piece = follow(document, requestBody)
  const [required, content] = [piece.required === true, contentOf(document, piece.content)]
  const json = jsonOf(content)
  return { request: { required, content }, ...(json && { body: { ...json, required } }) }
}

function responseOf(document: OpenApiDocument, status: string, piece: ResponsePiece): Response {
  const content = contentOf(document, piece.content)
  const json = jsonOf(content)
  return {
    status,
    description: piece.description ?? '',
    content,
    ...(json && { schema: json.schema }),
    headers: entriesOf(document, piece.headers).map(([name, header]) => ({
      ...header,
      name,
      required: header.required === true,
      schema: header.schema ?? {},
    })),
    examples: json?.examples ?? [],
    links: entriesOf(document, piece.links).map(([name, link]) => ({ name, link })),
  }
}

const contentOf = (
  document: OpenApiDocument,
  content: NameMap<WithExamples & { readonly schema?: Schema }> = {},
): Media[] =>
  Object.entries(content).map(([type, media]) => ({
    type,
    schema: media.schema ?? {},
    examples: examplesOf(document, media),
  }))

const jsonOf = (content: readonly Media[]): Media | undefined => content.find(({ type }) => isJsonType(type))

/** The named examples of a body, parameter or header. */
export const examplesOf = (document: OpenApiDocument, { examples }: WithExamples): Example[] =>
  entriesOf(document, examples).map(([name, { summary, value, 'x-business-rule': isBusinessRule }]) => ({
    name,
    ...(summary && { summary }),
    ...(isBusinessRule && { isBusinessRule }),
    value,
  }))

/** All examples of a parameter or header, including the one without a name. */
export const shownBy = (document: OpenApiDocument, shown: WithExamples): Example[] => [
  ...(shown.example === undefined ? [] : [{ name: 'example', value: shown.example }]),
  ...examplesOf(document, shown),
]

/** A copy with each operation of its paths (`operation`) or webhooks (`message`) changed, redirects unchanged. */
export function withOperations(
  document: OpenApiDocument,
  kind: 'operation' | 'message',
  change: (operation: OperationPiece) => OperationPiece,
): OpenApiDocument {
  const changed = (item: PathItem): PathItem => ({
    ...item,
    ...Object.fromEntries(
      METHODS.flatMap((method) => {
        const operation = item[method]
        return operation ? [[method, change(operation)]] : []
      }),
    ),
  })
  const place = kind === 'operation' ? 'paths' : 'webhooks'
  const items = Object.entries(document[place] ?? {}).map(([path, item]): [string, PathItem] => [path, changed(item)])
  return { ...document, [place]: Object.fromEntries(items) }
}
