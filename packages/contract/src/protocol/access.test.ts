import { describe, expect, test } from 'vitest'
import { ACCESS, barrierOf } from './access.ts'

describe('access checks of client and server', () => {
  test.each([
    ['visitor', 'visitor', null],
    ['visitor', 'demo', null],
    ['visitor', 'real', null],
    ['user', 'visitor', 'sessionGone'],
    ['user', 'demo', null],
    ['user', 'real', null],
    ['real', 'visitor', 'sessionGone'],
    ['real', 'demo', 'realOnly'],
    ['real', 'real', null],
  ] as const)('what is for a %s meets a %s with %s', (access, caller, barrier) =>
    expect(barrierOf(access, caller)).toBe(barrier),
  )

  test('refuse demo accounts the calls named by the spec', () => {
    const refused = Object.entries(ACCESS).flatMap(([name, access]) =>
      barrierOf(access, 'demo') === 'realOnly' ? [name] : [],
    )
    expect(refused).toEqual(['password', 'identity', 'invite', 'charge', 'withdraw', 'wallet', 'upload'])
  })
})
