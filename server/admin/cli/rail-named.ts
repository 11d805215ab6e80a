export { kindNamed, KINDS, railAccountNamed } from '../operations/rail-account-named.ts'
