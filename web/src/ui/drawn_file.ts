// Pictures this close to the window are loaded.
const kNear = '400px';

// Draws a picture of the server into an <img> once it is near the window.
export function drawnFile(load: () => Promise<Blob>): (image: HTMLImageElement) => () => void {
  return (image) => {
    let isGone = false;
    const near = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && void draw(), { rootMargin: kNear });

    async function draw(): Promise<void> {
      near.disconnect();
      const picture = await load().catch(() => undefined);
      if (picture && !isGone) image.src = URL.createObjectURL(picture);
    }

    near.observe(image);
    return () => {
      isGone = true;
      near.disconnect();
      URL.revokeObjectURL(image.src);
    };
  };
}
