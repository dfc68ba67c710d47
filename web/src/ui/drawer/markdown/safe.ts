// An address a person may be sent to, which names its scheme; everything else stays text.
export function safeAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

const kEntities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

// The lexer escapes a few characters for HTML, which a text node does not need.
export function plainText(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => kEntities[entity]!);
}
