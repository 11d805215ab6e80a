import { expect, test } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }

test('the contract and the package have one version', () => {
  expect(contract.info.version).toBe(manifest.version)
})

test('x-api-version is the major line that requests name, whatever the version of the contract', () => {
  expect(contract.components.parameters.ApiVersion.schema.enum).toEqual(['1'])
})
