import { afterAll } from 'vitest'
import { endOfFile } from './end-of-file.ts'

// Runs before each test file, those that share a process included.
afterAll(endOfFile)
