import { expect, test } from 'vitest'
import { parseFeedSetting } from './feed-setting.ts'

const replay = { kind: 'replay', path: 'day.csv', speed: 1, from: null, isLooping: true }

test.each([
  ['auto', [{ kind: 'simulated', seed: null }]],
  ['simulated', [{ kind: 'simulated', seed: null }]],
  ['simulated:42', [{ kind: 'simulated', seed: '42' }]],
  ['replay:day.csv', [replay]],
  ['replay:day.csv@5', [{ ...replay, speed: 5 }]],
  ['replay:day.csv@0.5?loop=off', [{ ...replay, speed: 0.5, isLooping: false }]],
  ['replay:day.csv?from=1399033500000', [{ ...replay, from: 1_399_033_500_000 }]],
  ['replay:day.csv@5?from=2014-05-02T12:25:00Z', [{ ...replay, speed: 5, from: 1_399_033_500_000 }]],
  ['replay:day.csv?from=2014-05-02T14:25:00+02:00', [{ ...replay, from: 1_399_033_500_000 }]],
  ['replay:/a@b/day.csv', [{ ...replay, path: '/a@b/day.csv' }]],
  ['ws://127.0.0.1:9000', [{ kind: 'websocket', url: 'ws://127.0.0.1:9000' }]],
  ['replay:day.csv, simulated', [replay, { kind: 'simulated', seed: null }]],
])('reads %s', (setting, sources) => {
  expect(parseFeedSetting(setting)).toEqual(sources)
})

test.each([
  ['', 'none of these'],
  ['kraken', '"kraken" is none of these'],
  ['Simulated', 'none of these'],
  ['http://host', 'none of these'],
  ['simulated,', 'none of these'],
  ['simulated:', 'seed'],
  ['simulated:a b', 'seed'],
  ['ws://', 'ws://host:port'],
  ['replay:', 'a file or a folder'],
  ['replay:day.csv@fast', 'speed'],
  ['replay:day.csv@0', 'speed'],
  ['replay:day.csv@-1', 'speed'],
  ['replay:day.csv@', 'speed'],
  ['replay:day.csv?from=yesterday', 'from'],
  ['replay:day.csv?from=2014-05-02T12:25:00', 'zone'],
  ['replay:day.csv?loop=no', 'loop'],
  ['replay:day.csv?speed=2', 'options from and loop'],
  ['simulated,auto', 'one simulated'],
  ['replay:a.csv,replay:b.csv', 'one replay'],
  ['replay:a.csv,ws://host:1', 'live'],
])('refuses "%s" and says why', (setting, words) => {
  expect(parseFeedSetting(setting)).toEqual({ problem: expect.stringContaining(words) })
})
