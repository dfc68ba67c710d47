// Time between two questions of what living runs have spent, in ms.
const kBetween = 20_000;

// Does it again and again while somebody can see the page. Returns how to stop.
export function everySoOften(act: () => void): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) act();
  }, kBetween);
  return () => clearInterval(timer);
}
