/** An amount to its last digit: what one reads, and the rest for who checks. */
export type FineParts = { main: string; rest: string }

/** All digits are there, the last ones set small so that they do not shout. Colour and size come from around it. */
export const FineFigure = ({ parts }: { parts: FineParts }) => (
  <bdi dir="ltr" className="whitespace-nowrap">
    {parts.main}
    <span className="text-[0.72em] font-medium">{parts.rest}</span>
  </bdi>
)
