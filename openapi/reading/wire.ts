import type { Operation, Response } from './operations.ts'

// Matches requests and replies to the contract: path, response, value.

const templates = new Map<string, { readonly pattern: RegExp; readonly names: readonly string[] }>()
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function compiled(template: string): { readonly pattern: RegExp; readonly names: readonly string[] } {
  const known = templates.get(template)
  if (known) return known
  const fixed = template.split(/\{[^}]+\}/).map(escaped)
  const made = {
    names: [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name),
    pattern: new RegExp(`^${fixed.join('([^/]+)')}$`),
  }
  templates.set(template, made)
  return made
}

/** The values in a path, decoded where possible; undefined when it does not match this template. */
export function pathValues(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const { names, pattern } = compiled(template)
  const match = pattern.exec(path)
  return match ? new Map(names.map((name, index) => [name, decoded(match[index + 1] ?? '')])) : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The response for a status: its own, that of its range (`2XX`), or the default. */
export const responseFor = ({ responses }: Pick<Operation, 'responses'>, status: number): Response | undefined =>
  responses.find((each) => each.status === String(status)) ??
  responses.find((each) => each.status === `${Math.floor(status / 100)}XX`) ??
  responses.find((each) => each.status === 'DEFAULT')

/** Converts the text of a header, query or path to its type in the contract, where possible. */
export function valueOf(type: string | undefined, text: string): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text
}

/** Undefined: there is no body, or it is not JSON. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return bytes.length === 0
      ? undefined
      : JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    return undefined
  }
}
