import { describe, expect, it } from 'vitest'
import { candlesChannel, quotesChannel, topicOf } from './channel.ts'
import { accountChannel, channelOf, CHANNELS, PRIVATE_CHANNELS } from './private-channel.ts'

describe('a topic', () => {
  it('identifies its channel', () => {
    expect(channelOf(topicOf(quotesChannel))).toEqual({ channel: quotesChannel, code: null })
    expect(channelOf(topicOf(accountChannel))).toEqual({ channel: accountChannel, code: null })
  })

  it("carries an instrument's code where the channel has one per instrument", () => {
    expect(topicOf(candlesChannel, 'EURUSD')).toBe('KLINE.EURUSD')
    expect(channelOf('KLINE.EURUSD')).toEqual({ channel: candlesChannel, code: 'EURUSD' })
    expect(channelOf(topicOf(candlesChannel, '$&'))?.code).toBe('$&')
  })

  it.each(['', 'KLINE', 'KLINE.', 'kline.EURUSD', 'DAY_MARKET.EURUSD', 'FOREX_TRADE ', 'XKLINE.EURUSD'])(
    'is unknown when it is %j',
    (topic) => {
      expect(channelOf(topic)).toBeNull()
    },
  )

  it('is private for data of one account', () => {
    expect(CHANNELS.filter(({ access }) => access === 'user')).toEqual(PRIVATE_CHANNELS)
    expect(PRIVATE_CHANNELS.map(({ name }) => name)).toEqual([
      'account',
      'closed',
      'orders',
      'funds',
      'notices',
      'chat',
      'copying',
      'alerts',
    ])
  })
})
