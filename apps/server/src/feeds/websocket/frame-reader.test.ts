import { expect, test } from 'vitest'
import { readFrame } from './frame-reader.ts'

test('reads one tick a line, with and without a time', () => {
  const text =
    '{"symbol":"EURUSD","bid":1.1,"ask":"1.2","time":1700000000000.7}\n\r\n{"symbol":"X","bid":1,"ask":2}\n'
  expect(readFrame(text)).toEqual({
    ticks: [
      { code: 'EURUSD', bid: 1.1, ask: '1.2', time: 1_700_000_000_000 },
      { code: 'X', bid: 1, ask: 2, time: null },
    ],
    broken: 0,
  })
})

test.each([
  'nonsense',
  '[]',
  'null',
  '7',
  '{}',
  '[{"symbol":"EURUSD","bid":1,"ask":2}]',
  '{"symbol":1,"bid":1,"ask":2}',
  '{"symbol":"","bid":1,"ask":2}',
  `{"symbol":"${'A'.repeat(33)}","bid":1,"ask":2}`,
  '{"symbol":"EURUSD","bid":null,"ask":2}',
  '{"symbol":"EURUSD","bid":[1],"ask":2}',
  '{"symbol":"EURUSD","bid":1}',
  `{"symbol":"EURUSD","bid":"${'1'.repeat(33)}","ask":2}`,
  '{"symbol":"EURUSD","bid":1,"ask":2,"time":"now"}',
  '{"symbol":"EURUSD","bid":1,"ask":2,"time":1e309}',
  '{"__proto__":{"symbol":"EURUSD","bid":1,"ask":2}}',
  '['.repeat(500_000),
  `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
])('counts a line that is no tick and goes on (%#)', (line) => {
  const { ticks, broken } = readFrame(`${line}\n{"symbol":"EURUSD","bid":1,"ask":2}`)
  expect([ticks.length, broken]).toEqual([1, 1])
})
