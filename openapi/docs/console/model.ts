/** What the console knows of the contract. Made by the docs build, read in the browser. */
export interface ConsoleModel {
  readonly operations: readonly ConsoleOperation[]
  /** By the name of the header. */
  readonly keys: Readonly<Record<string, string>>
}

/** What can be tried. */
export interface ConsoleOperation {
  readonly id: string
  readonly summary: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  /** Names of the headers that carry keys. */
  readonly keys: readonly string[]
  readonly parameters: readonly ConsoleParameter[]
  readonly bodies: readonly {
    readonly name: string
    readonly summary: string
    readonly value: Readonly<Record<string, unknown>>
  }[]
  readonly links: readonly ConsoleLink[]
}

/** A field of the form. */
export interface ConsoleParameter {
  readonly name: string
  /** `path`, `query` or `header`. */
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly value: string
  /** Absent: any text. */
  readonly options?: readonly string[]
}

/** What one can ask next with a reply, by the `links` of the contract. */
export interface ConsoleLink {
  readonly status: string
  readonly operationId: string
  readonly summary: string
  /** Values or runtime expressions such as `$response.body#/data/merchant_reference`. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** What the form holds. */
export interface FilledForm {
  readonly keys: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
}
