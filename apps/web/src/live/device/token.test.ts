import { beforeEach, expect, test } from 'vitest'
import { readStored, writeStored } from './storage.ts'
import { currentToken, setToken } from './token.ts'

beforeEach(() => {
  setToken('ours')
  writeStored('user', 'Ada')
})

test('a session that ends is forgotten, with its user', () => {
  setToken(null)
  expect([currentToken(), readStored('token'), readStored('user')]).toEqual([null, null, null])
})

test('a newer session that another tab has stored stays', () => {
  writeStored('token', 'theirs')
  writeStored('user', 'Bo')
  setToken(null)
  expect([currentToken(), readStored('token'), readStored('user')]).toEqual([null, 'theirs', 'Bo'])
})

test('a new log-in replaces whatever was stored', () => {
  writeStored('token', 'theirs')
  setToken('newest')
  expect([currentToken(), readStored('token')]).toEqual(['newest', 'newest'])
})
