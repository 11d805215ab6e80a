import { operations, resolve } from '../../schemathesis-runner-wrapper/contract.ts'
import type { Link, OpenApiDocument } from '../../schemathesis-runner-wrapper/index.ts'

/** The contract with the whole paths of some operations: an undeclared method must be refused. */
export function narrowed(contract: OpenApiDocument, wanted: readonly string[]): OpenApiDocument {
  const kept = operations(contract)
    .filter(([, , { operationId = '' }]) => wanted.includes(operationId))
    .map(([path]) => path)
  // Links to removed operations would dangle.
  const lost = operations(contract)
    .filter(([path]) => !kept.includes(path))
    .map(([, , { operationId }]) => operationId)
  if (lost.length === 0) return contract
  contract.paths = Object.fromEntries(Object.entries(contract.paths ?? {}).filter(([path]) => kept.includes(path)))
  const isLost = (link: Link) => lost.includes(resolve(contract, link)?.operationId)
  const owners = [
    ...Object.values(contract.components?.responses ?? {}),
    ...operations(contract).flatMap(([, , { responses = {} }]) => Object.values(responses)),
  ]
  for (const owner of owners) {
    if (!owner.links) continue
    owner.links = Object.fromEntries(Object.entries(owner.links).filter(([, link]) => !isLost(link)))
    if (Object.keys(owner.links).length === 0) delete owner.links
  }
  return contract
}

/** Short, and fits the pattern of the contract and its example. */
const SHORT_URL = '^https://[a-z]{1,20}[.][a-z]{2,10}(?:/[a-z0-9-]{0,20}){1,4}$'

/**
 * Of the 40 s that Python computes for the requests of one collection operation, 38 s go into two kinds of text
 * (measured): long redirect URLs, and texts that fit a pattern but not the format beside it. The latter do not exist,
 * because each of these patterns is the narrower rule. So formats beside patterns are removed, and redirect URLs are
 * short ones.
 */
export function quickToDraw(contract: OpenApiDocument): OpenApiDocument {
  const { schemas = {} } = contract.components ?? {}
  dropFormats(schemas)
  if (schemas.RedirectUrl) Object.assign(schemas.RedirectUrl, { pattern: SHORT_URL, maxLength: 200 })
  return contract
}

function dropFormats(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if ('pattern' in node && typeof node.pattern === 'string' && 'format' in node) delete node.format
  for (const inner of Object.values(node)) dropFormats(inner)
}
