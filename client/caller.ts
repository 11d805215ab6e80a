import type { Client } from 'openapi-fetch'
import type { paths } from '../generated/schema.d.ts'
import type { MalipoErrorKind } from './errors.ts'
import type { CallOptions, PostOptions } from './options.ts'

/** The client sets its own headers: callers need not give any. */
type OwnHeaders<Operation> = Operation extends { parameters: { header: infer Header } }
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'header'> & { header?: Partial<Header> }
    }
  : Operation
/** The contract's paths, with all headers optional. */
export type ClientPaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: OwnHeaders<paths[Path][Method]> }
}

/** The client of openapi-fetch, typed by the contract: `http.GET('/data/wallet-balances')`. */
export type MalipoHttp = Client<ClientPaths, 'application/json'>

/** Metadata of an operation that its types do not contain. */
export interface CallRule {
  /** `optional`: it goes along if the client has one. */
  readonly needsSecretKey: boolean | 'optional'
  /** The error kind of each error status that the contract declares for it. */
  readonly kinds: Readonly<Record<number, MalipoErrorKind>>
}

/** Per-call settings, as openapi-fetch takes them. */
interface SendOptions {
  readonly fetch: (request: Request) => Promise<Response>
  readonly headers?: Readonly<Record<string, string>>
}

/** Functions that the generated calls use. */
export interface Caller {
  readonly http: MalipoHttp
  readonly sending: (options?: CallOptions) => SendOptions
  /** Adds the caller's idempotency key, if there is one. */
  readonly sendingOnce: (options?: PostOptions) => SendOptions
  /** The part of the reply that a call resolves to. */
  readonly result: <Data, Result extends object>(
    reply: Promise<{ readonly data?: { readonly data: Data }; readonly response: Response }>,
    part: (data: Data) => Result,
  ) => Promise<Result>
}
