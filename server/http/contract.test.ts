import { expect, test } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }

// It does not follow the contract's own version.
test('x-api-version is the major version that requests name', () => {
  expect(contract.components.parameters.ApiVersion.schema.enum).toEqual(['1'])
})
