import { go } from './go.ts'
import { heyApi } from './hey-api.ts'
import { java } from './java.ts'
import { kubb } from './kubb.ts'
import { oazapfts } from './oazapfts.ts'
import { openapiTypescript } from './openapi-typescript.ts'
import { orval } from './orval.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'
import { swaggerTypescriptApi } from './swagger-typescript-api.ts'

/** Eleven generators, six languages. */
export const GENERATORS = [
  openapiTypescript,
  heyApi,
  oazapfts,
  orval,
  kubb,
  swaggerTypescriptApi,
  python,
  go,
  java,
  php,
  rust,
] as const
