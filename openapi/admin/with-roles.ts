import { MERCHANT_OPERATIONS, operationNamed } from '../../server/domain/people/roles.ts'
import { isList, isObject, textOf, type Json, type JsonObject } from '../reading/json.ts'

/** The admin contract for its page: every operation says which roles may use it, from the table that decides. */
export const withRoles = (bundle: JsonObject): JsonObject => shown(bundle) as JsonObject

function shown(node: Json): Json {
  if (isList(node)) return node.map(shown)
  if (!isObject(node)) return node
  const own = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, shown(value)]))
  const operation = own['x-operation']
  return typeof operation === 'string'
    ? { ...own, description: `${textOf(own['description']).trim()}\n\n${rolesOf(operation)}` }
    : own
}

function rolesOf(operation: string): string {
  const list = (roles: readonly string[]): string => roles.map((role) => `\`${role}\``).join(', ')
  const ofMerchants = MERCHANT_OPERATIONS[operation]
  return [
    `**Staff:** ${list(operationNamed(operation).roles)}`,
    ofMerchants && `**People of a merchant, for their own:** ${list(ofMerchants)}`,
  ]
    .filter((line) => line !== undefined)
    .join('\n\n')
}
