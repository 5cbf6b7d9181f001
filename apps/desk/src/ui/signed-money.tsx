import { gainTone, signedMoney } from '../i18n/figures.ts'

const colours = { up: 'text-up', down: 'text-down' }

/** An amount with its sign, in the colour of a gain or a loss; zero is grey. */
export const SignedMoney = ({ units }: { units: bigint }) => {
  const tone = gainTone(units)
  return (
    <span translate="no" className={tone ? colours[tone] : 'text-second'}>
      {signedMoney(units)}
    </span>
  )
}
