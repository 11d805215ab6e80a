import { COUNTERPARTS, HELD_AT_ONCE } from './counterparts/index.ts'
import { holdRails } from './hold-rails.ts'

await holdRails(
  'conformance-of-the-others',
  COUNTERPARTS.filter((counterpart) => !HELD_AT_ONCE.includes(counterpart)),
)
