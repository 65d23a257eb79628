/// The armed timers of a loop: a binary heap by the time under which each was filed.
///
/// Request timeouts are re-armed for a later time at every request and hardly ever expire. So a timer that is re-armed
/// for later, or disarmed, keeps its place: when that place comes up, the timer is filed again under its real deadline.
/// That makes re-arming a store.
struct TimerQueue {
    private var heap: [LoopTimer] = []

    /// The earliest time under which a timer is filed.
    var earliest: UInt64? { heap.first?.filed }

    /// How many timers are filed, disarmed ones included.
    var count: Int { heap.count }

    mutating func arm(_ timer: LoopTimer, at deadline: UInt64) {
        timer.deadline = deadline
        if let place = timer.place {
            guard deadline < timer.filed else { return }
            timer.filed = deadline
            siftUp(place)
        } else {
            timer.filed = deadline
            timer.place = heap.count
            heap.append(timer)
            siftUp(heap.count - 1)
        }
    }

    /// Takes a timer out, so that the queue no longer holds it.
    mutating func remove(_ timer: LoopTimer) {
        timer.deadline = nil
        guard let place = timer.place else { return }
        timer.place = nil
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        last.place = place
        siftUp(place)
        siftDown(last.place ?? place)
    }

    /// The next timer whose deadline is not after `now`, taken out of the queue and disarmed.
    mutating func popDue(at now: UInt64) -> LoopTimer? {
        while let first = heap.first, first.filed <= now {
            guard let deadline = first.deadline else {
                remove(first)
                continue
            }
            if deadline > now {
                first.filed = deadline
                siftDown(0)
                continue
            }
            remove(first)
            return first
        }
        return nil
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].filed < heap[parent].filed else { return }
            swapPlaces(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].filed < heap[least].filed {
                least = child
            }
            guard least != parent else { return }
            swapPlaces(parent, least)
            parent = least
        }
    }

    private mutating func swapPlaces(_ a: Int, _ b: Int) {
        heap.swapAt(a, b)
        heap[a].place = a
        heap[b].place = b
    }
}
