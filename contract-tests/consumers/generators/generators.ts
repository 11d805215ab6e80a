import { go } from './go.ts'
import { heyApi } from './hey-api.ts'
import { java } from './java.ts'
import { openapiTypescript } from './openapi-typescript.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'

/** Seven generators, six languages. */
export const GENERATORS = [openapiTypescript, heyApi, python, go, java, php, rust] as const
