/** The bundled contract, as far as the client is made from it. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Pick<Operation, 'requestBody'>>>>>
  readonly components: {
    readonly schemas: Schemas
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly requestBodies: Readonly<Record<string, Body>>
    readonly responses: Readonly<Record<string, Response>>
    readonly callbacks: Readonly<
      Record<string, Readonly<Record<string, Readonly<Record<string, Pick<Operation, 'parameters'>>>>>>
    >
  }
}

/** Something itself, or where it stands. */
type Referenced<Thing> = Thing | { readonly $ref: string }
export type Schemas = Readonly<Record<string, Schema>>

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Referenced<Parameter>[]
  readonly requestBody?: Referenced<Body>
  readonly responses: Readonly<Record<string, Referenced<Response>>>
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[]
  readonly 'x-client': ClientNotes
}

/** What the contract says to the generator of the client, beside what it says to everybody. */
export interface ClientNotes {
  /** Its place in the client: `collections.initialize`. */
  readonly call: string
  /** The one field of the data that the call resolves to; absent: all of the data. */
  readonly result?: string
  /** Kinds of errors by status, where they are not the usual ones. */
  readonly errors?: Readonly<Record<string, string>>
  /** Narrower schemas, by name; those with `where` take the place of the one that they narrow. */
  readonly variants?: Readonly<Record<string, Variant>>
  /** Which of the requests has a narrower result. */
  readonly overloads?: readonly Overload[]
}

export interface Variant {
  readonly description: string
  readonly of: string
  readonly where?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

export interface Overload {
  readonly request: readonly string[]
  readonly result: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header' | 'path'
  readonly required?: boolean
  readonly description: string
  readonly schema: Schema
  readonly example: unknown
}

interface Body {
  readonly description?: string
  readonly content: Readonly<Record<'application/json', { readonly schema: Schema }>>
}

interface Response extends Body {
  readonly description: string
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Schemas
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly discriminator?: unknown
}

/** The last part of a reference: the name of what it leads to. */
export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** What the list has under this name. @throws when it has nothing */
export function named<Thing>(things: Readonly<Record<string, Thing>>, name: string): Thing {
  const thing = things[name]
  if (thing === undefined) throw new Error(`the contract has no ${name}`)
  return thing
}

/** The thing itself, also where only its place was named. */
export const followed = <Thing extends object>(
  thing: Referenced<Thing>,
  things: Readonly<Record<string, Thing>>,
): Thing => ('$ref' in thing ? named(things, nameOf(thing.$ref)) : thing)
