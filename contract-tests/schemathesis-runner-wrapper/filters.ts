import { ConfigError, FILTER_KINDS, type OperationFilter } from './options.ts'

const KINDS: readonly string[] = FILTER_KINDS.flatMap((kind) => [kind, `${kind}-regex`])

/** The Schemathesis options that select operations. */
export const filterArguments = (way: 'include' | 'exclude', filter: OperationFilter = {}): string[] =>
  Object.entries(filter).flatMap(([kind, values]) => {
    if (!KINDS.includes(kind)) throw new ConfigError(`${way}: operations have no ${kind}, only ${KINDS.join(', ')}`)
    return (typeof values === 'string' ? [values] : values).map((value) => `--${way}-${kind}=${value}`)
  })

/**
 * Parses `tag=books` and `path-regex=^/v1` as filters; a text without a kind is an operationId.
 *
 * @throws ConfigError
 */
export function filterOf(texts: readonly string[]): OperationFilter {
  const filter: Record<string, string | string[]> = {}
  for (const text of texts) {
    const [, kind = 'operation-id', value = text] = /^([a-z-]+)=(.*)$/s.exec(text) ?? []
    if (kind.endsWith('-regex')) {
      if (kind in filter) throw new ConfigError(`${kind} can be given once`)
      filter[kind] = value
    } else filter[kind] = [...(filter[kind] ?? []), value]
  }
  filterArguments('include', filter)
  return filter
}
