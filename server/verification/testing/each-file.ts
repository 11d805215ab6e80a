import { afterAll } from 'vitest'
import { endOfFile } from './end-of-file.ts'

// Runs before each test file, including those that share a process.
afterAll(endOfFile)
