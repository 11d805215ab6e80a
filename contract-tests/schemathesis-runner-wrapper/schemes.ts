import { operations, resolve } from './contract.ts'
import type { OpenApiDocument, SecurityScheme } from './openapi.ts'

/** A security scheme, and its kind of key in schemathesis.toml. */
export interface Scheme {
  readonly name: string
  readonly kind: 'api_key' | 'bearer' | 'basic'
}

/** The security schemes of the contract for which a run needs a key. */
export function schemesOf(contract: OpenApiDocument): Scheme[] {
  const used = new Set(
    operations(contract).flatMap(([, , { security }]) =>
      (security ?? contract.security ?? []).flatMap((requirement) => Object.keys(requirement)),
    ),
  )
  return Object.entries(contract.components?.securitySchemes ?? {}).flatMap(([name, scheme]): Scheme[] => {
    const kind = used.has(name) ? kindOf(resolve(contract, scheme) ?? {}) : undefined
    return kind === undefined ? [] : [{ name, kind }]
  })
}

function kindOf({ type, scheme }: SecurityScheme): Scheme['kind'] | undefined {
  if (type === 'apiKey') return 'api_key'
  if (type === 'oauth2' || type === 'openIdConnect') return 'bearer'
  const name = scheme?.toLowerCase()
  return type === 'http' && (name === 'bearer' || name === 'basic') ? name : undefined
}

/**
 * Writes OAuth and OpenID Connect as bearer tokens, which they are on the wire: the tool's check of unverified keys
 * knows nothing else.
 */
export function tokensAsBearer(contract: OpenApiDocument): OpenApiDocument {
  const schemes = contract.components?.securitySchemes ?? {}
  for (const [name, scheme] of Object.entries(schemes)) {
    const { type } = resolve(contract, scheme) ?? {}
    if (type === 'oauth2' || type === 'openIdConnect') schemes[name] = { type: 'http', scheme: 'bearer' }
  }
  // A scheme that is no OAuth any more has no scopes (in 3.0: must not have any).
  const requirements = [contract, ...operations(contract).map(([, , operation]) => operation)]
  for (const owner of requirements)
    for (const requirement of owner.security ?? []) for (const name of Object.keys(requirement)) requirement[name] = []
  return contract
}
