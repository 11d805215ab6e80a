import type { Generator } from './generator.ts'
import { go } from './go.ts'
import { java, php, rust } from './openapi-generator.ts'
import { python } from './python.ts'
import { npmGenerators, openapiTypescript } from './typescript.ts'

/** Eleven generators, six languages. */
export const GENERATORS: readonly Generator[] = [openapiTypescript, ...npmGenerators, python, go, java, php, rust]
